"""What the compiler made of the two variants of a pair: the questions that decide a finding, as data."""

from typing import Literal

from msgspec import Struct

from cudalint.validate.machine_code import Code

Relation = Literal["bad only", "good only", "more in bad", "more in good", "both", "neither", "equal"]

_DOUBLE = r"D(ADD|MUL|FMA|SETP|MNMX)\b|F2F\.F(64|32)|MUFU\.\w+64H?"
_LOCAL = r"(LD|ST)L\b"
_BRANCH = r"BSSY|BRA\.DIV"


class Question(Struct, frozen=True):
    """What to count in each variant's machine code, by a regular expression of the instruction, and how the
    counts have to stand to each other. since: architecture (90 for sm_90) from which on it is asked.
    """

    code: str
    what: str
    pattern: str
    relation: Relation
    since: int = 75


class Evidence(Struct, frozen=True):
    """An answer: instructions counted in both variants, for one architecture."""

    arch: str
    what: str
    relation: Relation
    bad: int
    good: int

    @property
    def holds(self) -> bool:
        match self.relation:
            case "bad only":
                return self.bad > 0 and self.good == 0
            case "good only":
                return self.good > 0 and self.bad == 0
            case "more in bad":
                return self.bad > self.good
            case "more in good":
                return self.good > self.bad
            case "both":
                return self.bad > 0 and self.good > 0
            case "neither":
                return self.bad == 0 and self.good == 0
            case "equal":
                return self.bad == self.good


QUESTIONS = (
    Question("CU107", "loads of shared memory", r"LDS\b", "good only"),
    Question("CU108", "stores to global memory", r"STG\b", "more in bad"),
    Question("CU109", "loads of 16 bytes", r"LDG\S*\.128\b", "good only"),
    Question("CU110", "loads of global memory", r"LDG\b", "more in bad"),
    Question("CU111", "accesses to local memory", _LOCAL, "bad only"),
    Question("CU112", "constant loads at a computed place", r"LDC\S* \w+, c\[\w+\]\[U?R\d", "bad only"),
    Question("CU116", "atomic additions", r"(RED|ATOM)G?\b", "both"),
    Question("CU201", "loads of shared memory", r"LDS\b", "equal"),
    Question("CU205", "copies past the registers", r"LDGSTS\b", "good only", 80),
    Question("CU206", "stores to shared memory", r"STS\b", "more in bad"),
    Question("CU308", "barriers of the block", r"BAR\.", "more in bad"),
    Question("CU401", "branches that part lanes", _BRANCH, "both"),
    Question("CU404", "branches that part lanes", _BRANCH, "both"),
    Question("CU506", "bytes spilled", r"(LD|ST)L\b", "neither"),
    Question("CU601", "instructions in double", _DOUBLE, "bad only"),
    Question("CU602", "instructions in double", _DOUBLE, "bad only"),
    Question("CU603", "instructions", r"", "more in bad"),
    Question("CU605", "instructions", r"", "more in bad"),
    Question("CU606", "special functions", r"MUFU\.", "more in bad"),
    Question("CU607", "instructions", r"", "more in bad"),
    Question("CU608", "sines of the special function unit", r"MUFU\.SIN\b", "good only"),
    Question("CU609", "loads of one byte", r"LDG\S*\.[US]8\b", "bad only"),
    Question("CU611", "instructions", r"", "more in bad"),
)


def answers(code: str, arch: str, bad: tuple[Code, ...], good: tuple[Code, ...]) -> tuple[Evidence, ...]:
    """The answers to a rule's questions, over all kernels of each variant."""
    number = int(arch.removeprefix("sm_"))
    return tuple(
        Evidence(
            arch,
            question.what,
            question.relation,
            sum(kernel.count(question.pattern) for kernel in bad),
            sum(kernel.count(question.pattern) for kernel in good),
        )
        for question in QUESTIONS
        if question.code == code and number >= question.since
    )
