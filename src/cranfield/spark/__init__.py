"""The same evaluation on Spark data frames: scores to the last bit, with nothing but means on the driver."""
