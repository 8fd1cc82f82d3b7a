"""JUnit XML: a suite for each file, a case for each finding; a file without any is one case that passes."""

from xml.sax.saxutils import escape, quoteattr

from cudalint.report.content import Content
from cudalint.rule.findings import Finding
from cudalint.rule.related import other_lines
from cudalint.source.text import one_line


def render(content: Content) -> str:
    paths = dict.fromkeys([file.path for file in content.files] + [f.span.path for f in content.findings])
    suites = [_suite(path, [f for f in content.findings if f.span.path == path]) for path in paths]
    tests, failures = sum(max(1, n) for n, _ in suites), sum(n for n, _ in suites)
    head = f'<testsuites name="cudalint" tests="{tests}" failures="{failures}" errors="0">'
    body = "".join(text for _, text in suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{body}</testsuites>\n'


def _suite(path: str, findings: list[Finding]) -> tuple[int, str]:
    """(the number of findings, the suite)."""
    name = quoteattr(one_line(path))
    cases = [_case(finding, name) for finding in findings] or [
        f'    <testcase name={name} classname="cudalint"/>\n'
    ]
    head = f'  <testsuite name={name} tests="{len(cases)}" failures="{len(findings)}" errors="0">\n'
    return len(findings), f"{head}{''.join(cases)}  </testsuite>\n"


def _case(finding: Finding, path: str) -> str:
    span = finding.span
    saves = [f"fixing it saves {finding.impact}"] if finding.impact is not None else []
    notes = [
        *saves,
        *finding.notes,
        *other_lines(finding),
        *([f"help: {finding.help}"] if finding.help else []),
    ]
    text = "\n".join(map(one_line, [f"{span.path}:{span.line}:{span.column}", *notes]))
    title = quoteattr(one_line(f"{finding.code} {finding.name}, line {span.line}"))
    return (
        f'    <testcase name={title} classname={path} file={path} line="{span.line}">\n'
        f'      <failure type="{finding.severity.value}" message={quoteattr(one_line(finding.message))}>'
        f"{escape(text)}</failure>\n    </testcase>\n"
    )
