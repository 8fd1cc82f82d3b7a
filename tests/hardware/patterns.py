"""Print the lane patterns of a counters file, one a line: the mask, then 32 element indices."""

import json
import sys
from pathlib import Path

for row in json.loads(Path(sys.argv[1]).read_text()):
    print(row["mask"], *row["index"])
