"""Numbers that text spells."""

import pytest

from cudalint.engine.elsewhere.numbers import Number, evaluate


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("256", Number(256)),
        ("0x40u", Number(64)),
        ("4 * (8 + 2)", Number(40)),
        ("(n + 31) / 32 * 32", None),
        ("(unsigned)64", Number(64)),
        ("static_cast<int>(4 * 32)", Number(128)),
        ("std::min(n, 512)", Number(512, True)),
        ("min(64, 32)", Number(32)),
        ("max(64, n)", None),
        ("n < 5 ? 64 : 32", Number(64, True)),
        ("WIDTH / 2", Number(16)),
        ("LIMIT - 28", Number(100, True)),
        ("n % 32", Number(31, True)),
        ("1 << 7", Number(128)),
        ("010", None),
        ("64.0", None),
        ("next(9)", None),
    ],
)
def test_evaluate(text: str, number: Number | None) -> None:
    known = {"WIDTH": Number(32), "LIMIT": Number(128, True)}
    assert evaluate(text, known.get) == number
