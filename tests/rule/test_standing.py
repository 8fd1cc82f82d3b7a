"""What findings share: the shape that they stand on, the confidence, and further places."""

from msgspec.structs import replace

from cudalint.rule.findings import Confidence, Edit, Finding, Fix, Related
from cudalint.rule.related import at_spans, elsewhere, other_lines, same_pattern, without
from cudalint.rule.rule import Rule
from cudalint.rule.standing import Standing, on_access, on_shape
from cudalint.settings.severity import Severity
from cudalint.significance import impact
from cudalint.simt.facts.accesses.access import Access, Basis, Transactions
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.query.pattern import Site
from cudalint.source.span import Span

RULE = Rule("CU101", "x", Severity.WARNING, "s")
LAUNCHED = Configuration((256, 1, 1), (1, 1, 1), 0, "default", Origin.LAUNCH, None)
GUESSED = replace(LAUNCHED, origin=Origin.USUAL)


def span(line: int) -> Span:
    return Span("a.cu", line, 1, line, 2)


def access(line: int) -> Access:
    counted = Transactions(8, 4, "exact", 8, 8)
    return Access(span(line), f"a[{line}]", "global", "load", 4, counted, "k", configuration=LAUNCHED)


def finding(site: Site) -> Finding:
    gain = impact.Impact(0.1, 0.2, impact.Basis.SECTORS)
    return RULE.finding(site.worst.span, "m", related=same_pattern(site), impact=gain)


def test_the_shape_comes_after_the_notes_of_the_rule() -> None:
    found = RULE.finding(span(1), "m", notes=("why",), standing=on_shape(LAUNCHED))
    assert found.notes == ("why", "block 256x1x1 (launched)")
    assert found.confidence is Confidence.HIGH


def test_a_guess_makes_the_confidence_medium() -> None:
    for standing in (on_shape(GUESSED), on_shape(LAUNCHED, sure=False), Standing(sure=False)):
        assert RULE.finding(span(1), "m", standing=standing).confidence is Confidence.MEDIUM
    guess = replace(access(1), configuration=GUESSED)
    assert not on_access(guess).sure and on_access(access(1)).sure
    assert not on_access(access(1), sure=False).sure


def test_a_rule_that_is_never_sure_stays_so() -> None:
    unsure = replace(RULE, confidence=Confidence.MEDIUM)
    assert unsure.finding(span(1), "m", standing=on_shape(LAUNCHED)).confidence is Confidence.MEDIUM


def test_what_was_assumed_is_named() -> None:
    assumed = replace(access(1), basis=Basis(assumed=("an untaken branch is taken",)))
    assert on_access(assumed).notes == ("block 256x1x1 (launched), assuming an untaken branch is taken",)
    assert on_access(replace(assumed, configuration=None)) == Standing()
    assert on_shape(None) == Standing()


def test_the_first_eight_places_are_named() -> None:
    many = [access(line) for line in range(1, 12)]
    assert [related.span.line for related in elsewhere(many, "too")] == list(range(1, 9))
    assert elsewhere(many[:1], lambda one: one.expression) == (Related(span(1), "a[1]"),)
    assert at_spans([span(3)], "too") == (Related(span(3), "too"),)


def test_other_lines_of_a_site() -> None:
    site = Site(access(2), (access(1), access(2), access(3)))
    assert same_pattern(site) == (
        Related(span(1), "same pattern: load of `a[1]`", same=True),
        Related(span(3), "same pattern: load of `a[3]`", same=True),
    )
    assert other_lines(finding(site)) == ("same pattern on lines 1 and 3",)
    assert other_lines(finding(Site(access(2), (access(2),)))) == ()
    long = Site(access(1), tuple(access(line) for line in range(1, 12)))
    assert other_lines(finding(long)) == ("same pattern on lines 2, 3, 4, 5, 6, 7, 8, 9 and 2 more",)


def test_a_finding_without_some_of_its_lines() -> None:
    whole = finding(Site(access(2), (access(1), access(2), access(3))))
    rest = without(whole, {span(3)})
    assert rest is not None
    assert (rest.span, other_lines(rest)) == (span(2), ("same pattern on line 1",))
    assert rest.notes == ("silenced on line 3; the impact counts it too",)
    moved = without(replace(whole, impact=None), {span(2), span(1)})
    assert moved is not None
    assert (moved.span, other_lines(moved)) == (span(3), ())
    assert moved.related == (Related(span(3), "same pattern: load of `a[3]`", same=True),)
    assert moved.notes == ("the numbers are those of line 2; silenced on lines 1 and 2",)
    assert without(whole, {span(1), span(2), span(3)}) is None


def test_a_fix_that_touches_a_silenced_line_is_gone() -> None:
    site = Site(access(2), (access(1), access(2)))
    fixed = replace(finding(site), fix=Fix((Edit(span(1), ""), Edit(span(2), "")), safe=True))
    assert [without(fixed, {span(line)}).fix for line in (1, 2)] == [None, None]  # type: ignore[union-attr]
    own = replace(fixed, fix=Fix((Edit(span(2), ""),), safe=True))
    assert without(own, {span(1)}).fix == own.fix  # type: ignore[union-attr]
