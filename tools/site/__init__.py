"""The site: the pages of docs/, and pages made of the code, as HTML that needs no network.

`listing.py` reads from docs/README.md which pages there are; `sources.py` puts their Markdown, and that of pages which
other modules make of the code, into one folder; `building.py` has Sphinx build it, and adds what programs read.
"""
