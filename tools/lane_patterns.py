"""Print the lane patterns of a counters file, one a line: the mask, then 32 element indices.

    python -m tools.lane_patterns tests/data/shared_wavefronts.json

tests/hardware/README.md says what reads them.
"""

import argparse
import json
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("counters", type=Path, help="JSON rows of a mask and 32 indices")
    for row in json.loads(parser.parse_args().counters.read_text()):
        print(row["mask"], *row["index"])


if __name__ == "__main__":
    main()
