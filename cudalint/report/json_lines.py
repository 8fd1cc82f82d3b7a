"""One JSON object per line and finding: those of the JSON report."""

import json

from cudalint.report.content import Content
from cudalint.report.fingerprint import Fingerprints
from cudalint.report.json_report import dump, table


def render(content: Content) -> str:
    prints = Fingerprints()
    return "".join(
        json.dumps(json.loads(dump(table(item, content, prints))), ensure_ascii=False) + "\n"
        for item in content.findings
    )
