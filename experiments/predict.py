"""Enters in a record of `cudalint validate` what the cost model predicts today; what was measured stays:

python experiments/predict.py cudalint/measurements/nvidia_h200_2026-11-21.json
"""

import sys
from pathlib import Path

from msgspec.structs import replace

from cudalint.rule.measured import Device, Measured
from cudalint.validate import records
from cudalint.validate.command import predicted
from cudalint.validate.pairs import pairs


def main() -> None:
    path = Path(sys.argv[1])
    record = records.read(path)
    rules = tuple(_again(one, record.device) for one in record.rules)
    records.write(replace(record, rules=rules), path)


def _again(one: Measured, device: Device) -> Measured:
    told = [predicted(pair, device) for pair in pairs((one.code,))]
    found = told[0].slowdown if told and told[0] is not None else None
    print(one.code, one.slowdown, one.predicted, "->", found, flush=True)
    return replace(one, predicted=None if found is None else round(found, 3))


if __name__ == "__main__":
    main()
