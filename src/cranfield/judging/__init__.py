"""Labels given by several judges: how far they agree, what that does to a conclusion, and one grade from several."""
