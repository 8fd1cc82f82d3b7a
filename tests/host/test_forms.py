from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cudalint.host.forms import Form, combined, constant, is_more, ratio, symbol

_VALUES = {"n": 3, "m": 7}
_FORMS = st.recursive(
    st.one_of(st.integers(0, 9).map(constant), st.sampled_from("nm").map(symbol)),
    lambda inner: st.tuples(st.sampled_from("+-*"), inner, inner).map(
        lambda t: combined(*t) if None not in t else None
    ),
    max_leaves=4,
).filter(lambda form: form is not None)


def _value(form: Form, values: dict[str, int]) -> int:
    total = 0
    for term, number in form:
        for name in term:
            number *= values[name]
        total += number
    return total


@given(_FORMS, _FORMS, st.sampled_from("+-*"))
def test_forms_are_worth_what_their_parts_are(left: Form, right: Form, operator: str) -> None:
    found = combined(operator, left, right)
    a, b = _value(left, _VALUES), _value(right, _VALUES)
    assert found is None or _value(found, _VALUES) == {"+": a + b, "-": a - b, "*": a * b}[operator]


@given(_FORMS, _FORMS, st.integers(1, 50), st.integers(1, 50))
def test_the_larger_one_is_larger_for_all_values(left: Form, right: Form, n: int, m: int) -> None:
    other = _value(right, {"n": n, "m": m})
    if is_more(left, right) and other > 0:  # as the sizes that it compares
        assert _value(left, {"n": n, "m": m}) > other


def test_a_quotient_without_a_rest() -> None:
    bytes_ = combined("*", symbol("n"), constant(4))
    assert bytes_ is not None
    assert combined("/", bytes_, constant(4)) == symbol("n")
    assert combined("<<", symbol("n"), constant(2)) == bytes_


def test_a_quotient_with_a_rest_is_a_number_of_its_own() -> None:
    n, found = symbol("n"), combined("/", symbol("n"), constant(4))
    assert found is not None
    assert found == combined("/", n, constant(4)) != combined("/", n, constant(8))
    whole = combined("*", found, constant(4)) or ()
    assert not is_more(n, whole)
    assert not is_more(whole, n)
    assert is_more(combined("+", n, found) or (), n)
    assert combined("/", n, constant(0)) is None


def test_how_many_times() -> None:
    n = symbol("n")
    assert ratio(combined("*", n, constant(6)) or (), combined("*", n, constant(4)) or ()) == Fraction(3, 2)
    assert ratio(n, symbol("m")) is None
    assert not is_more(n, symbol("m"))


def test_several_times_a_size_is_more_whatever_its_terms_are() -> None:
    rows = combined("-", symbol("end"), symbol("begin"))
    assert rows is not None
    whole = combined("*", rows, constant(8))
    assert whole is not None
    assert is_more(whole, rows)
    assert not is_more(rows, whole)
    assert not is_more(rows, rows)
