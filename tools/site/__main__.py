"""`python -m tools.site` builds the site into build/site/html."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.site.building import SiteError, build
from tools.site.listing import ROOT


def main() -> int:
    """Build it, and say where it is; 1 if Sphinx warned of something."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=ROOT / "build" / "site", help="folder for the site and its cache"
    )
    try:
        html = build(parser.parse_args().output.resolve())
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    print(html / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
