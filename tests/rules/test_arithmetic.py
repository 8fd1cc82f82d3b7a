"""Double literals on IR written by hand: what widens, what ends as a float, which fix is safe."""

from msgspec.structs import replace

from cudalint.analyses.device_code import device_code
from cudalint.analyses.widened import same_as_float
from cudalint.engine.analysis import Task, analyse
from cudalint.host.facts import HostFacts
from cudalint.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expression,
    Literal,
    Unary,
    Variable,
    VariableReference,
)
from cudalint.ir.statements import Block, Evaluate
from cudalint.ir.types import BOOL, DOUBLE, FLOAT, INT, VOID, Type
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.rules.arithmetic import double_literal
from cudalint.settings.config import Settings
from cudalint.source.span import Span

EXTENT = Span("a.cu", 1, 1, 20, 2)
HERE = Span("a.cu", 5, 1, 5, 20)


def at(column: int, width: int = 3) -> Span:
    return Span("a.cu", 5, column, 5, column + width)


def variable(type: Type, name: str = "x") -> VariableReference:
    return VariableReference(Variable(len(name), name, type, "local", HERE), type, at(1, 1))


def widened(name: str = "x") -> Cast:
    return Cast(variable(FLOAT, name), DOUBLE, at(1, 1), implicit=True)


def literal(value: float, spelling: str | None, in_macro: bool = False, column: int = 5) -> Literal:
    return Literal(value, DOUBLE, at(column, len(spelling or "")), spelling, in_macro)


def rounded(value: Expression) -> Assign:
    """`y = value` with a float y."""
    return Assign(variable(FLOAT, "yy"), Cast(value, FLOAT, HERE, implicit=True), None, FLOAT, HERE)


def times(left: Expression, right: Expression) -> Binary:
    return Binary("*", left, right, DOUBLE, HERE)


def check(*bodies: Expression, kernel: bool = True) -> list[Finding]:
    """Findings in a kernel with one instantiation for each body."""
    functions = {
        f"k{i}": Function(
            f"k{i}", "k", "k", (), Block((Evaluate(body, HERE),), EXTENT), VOID, EXTENT, EXTENT, kernel=kernel
        )
        for i, body in enumerate(bodies)
    }
    unit = Unit("a.cu", "sm_90", functions, {}, {}, tuple(functions), (), ())
    return list(double_literal.check(device_code(unit), Context(unit, (), HostFacts((), (), ()), 90)))


def test_chain_rounded_to_float() -> None:
    (finding,) = check(rounded(times(times(widened(), literal(0.5, "0.5")), widened("z"))))
    assert finding.fix is not None
    assert finding.fix.safe
    (edit,) = finding.fix.edits
    assert (edit.text, edit.span.column, edit.span.end_column) == ("f", 8, 8)
    assert finding.evidence["exact"] is True


def test_inexact_literal() -> None:
    (finding,) = check(rounded(times(widened(), literal(0.1, "0.1"))))
    assert finding.evidence["exact"] is False
    assert finding.fix is not None
    assert not finding.fix.safe  # 0.1f is another number


def test_what_the_compiler_narrows_is_left_unsaid() -> None:
    half, two = literal(0.5, "0.5"), literal(2.0, "2.")
    tenth = literal(0.1, "0.1")
    for value, count in (
        (rounded(times(widened(), half)), 0),
        (rounded(Unary("-", times(widened(), half), DOUBLE, HERE)), 0),
        (rounded(times(widened(), times(half, two))), 0),
        (Binary("<", widened(), half, BOOL, HERE), 0),
        (Assign(variable(FLOAT), two, "*", FLOAT, HERE), 0),
        (Assign(variable(FLOAT), tenth, "*", FLOAT, HERE), 1),
        (Assign(variable(FLOAT), times(widened("z"), two), "+", FLOAT, HERE), 1),
        (rounded(times(widened(), tenth)), 1),
        (rounded(times(times(widened(), widened("z")), half)), 1),
        (rounded(times(times(widened(), half), widened("z"))), 1),
    ):
        assert len(check(value)) == count


def test_comparison_fix_is_safe_only_when_exact() -> None:
    for value, spelling, safe in ((0.5, "0.5", True), (0.1, "0.1", False)):
        product = times(widened(), literal(value, spelling))
        (finding,) = check(Binary("<", product, widened("z"), BOOL, HERE))
        assert finding.fix is not None
        assert finding.fix.safe is safe


def test_compound_assignment() -> None:
    (finding,) = check(Assign(variable(FLOAT), literal(1.1, "1.1"), "*", FLOAT, HERE))
    assert "`*=`" in finding.message
    assert finding.help == "write `1.1f`"


def test_two_literals_of_one_operand_are_fixed_together() -> None:
    third = Binary("/", literal(1.0, "1.0", column=5), literal(3.0, "3.0", column=11), DOUBLE, HERE)
    (finding,) = check(rounded(times(third, widened())))
    assert finding.fix is not None
    assert len(finding.fix.edits) == 2


def test_chain_of_floats_speaks_once_a_literal() -> None:
    inner = times(literal(0.5, "0.5"), widened())
    assert len(check(rounded(times(inner, widened("z"))))) == 1


def test_integer_beside_a_literal_needs_a_double_unless_a_float_takes_the_result() -> None:
    integer = Cast(variable(INT), DOUBLE, HERE, implicit=True)
    product = times(integer, literal(0.5, "0.5"))
    assert len(check(rounded(product))) == 1
    assert check(Assign(variable(DOUBLE), product, None, DOUBLE, HERE)) == []
    assert check(Cast(product, INT, HERE, implicit=True)) == []


def test_double_that_is_meant() -> None:
    half = literal(0.5, "0.5")
    assert check(rounded(times(variable(DOUBLE), half))) == []
    assert check(rounded(times(times(widened(), half), variable(DOUBLE)))) == []
    assert check(Assign(variable(DOUBLE), times(widened(), half), None, DOUBLE, HERE)) == []
    asked = Cast(variable(FLOAT), DOUBLE, HERE, implicit=False)
    assert check(rounded(times(asked, half))) == []


def test_plain_conversion_costs_nothing() -> None:
    assert check(rounded(literal(0.5, "0.5"))) == []


def test_host_code_is_silent() -> None:
    assert check(rounded(times(widened(), literal(0.5, "0.5"))), kernel=False) == []


def test_macro_has_no_fix() -> None:
    (finding,) = check(rounded(times(widened(), literal(0.1, None, in_macro=True))))
    assert finding.fix is None


def test_template_with_a_double_instantiation_is_silent() -> None:
    tenth = literal(0.1, "0.1")
    single = rounded(times(widened(), tenth))
    double = Assign(variable(DOUBLE), times(variable(DOUBLE), tenth), None, DOUBLE, HERE)
    assert len(check(single, single)) == 1
    assert check(single, double) == []


def test_exact_as_float() -> None:
    assert same_as_float(0.5)
    assert same_as_float(16777216.0)
    assert not same_as_float(16777217.0)
    assert not same_as_float(0.1)
    assert not same_as_float(1e300)


def helps(source: str) -> list[str]:
    settings = replace(Settings(), select=("CU601",), min_impact=0.0)
    return [finding.help for finding in analyse(Task("a.cu", settings, source)).findings]


def test_what_can_be_done_about_a_literal_of_a_macro() -> None:
    loop = "for (int k = 0; k < n; ++k) a[k] = a[k] * %s + 3.0f;"
    start = "#include <math.h>\n#define OWN 0.3\n#define HALF (M_PI / 2)\nconstexpr double part = 0.1;\n"
    for constant, help in (
        ("M_PI", "write `(float)M_PI`"),
        ("(2 * M_PI)", "write `(float)M_PI`"),
        ("HALF", "write `(float)HALF`"),
        ("part", "write `(float)part`"),
        ("OWN", "add the suffix `f` to the literal"),
        ("0.3", "write `0.3f`"),
    ):
        assert helps(start + f"__global__ void k(float *a, int n) {{ {loop % constant} }}\n") == [help]
    template = f"{start}template <class T> __global__ void k(T *a, int n) {{ {loop % 'M_PI'} }}\n"
    assert helps(template) == ["write `T(M_PI)`"]
    called = template + "void run(float *a) { k<float><<<1, 32>>>(a, 9); }\n"
    assert helps(called) == ["write `(float)M_PI`, or cast to the template's type"]
