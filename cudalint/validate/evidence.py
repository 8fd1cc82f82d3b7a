"""Checks of the machine code of both variants of a pair, as data."""

from typing import Literal

from msgspec import Struct

from cudalint.settings.config import arch_number
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


class NothingToAsk(Exception):
    """A variant has no kernel that could be asked; the text says which."""


class Evidence(Struct, frozen=True):
    """An answer: instructions counted in both variants, for one architecture."""

    arch: str
    what: str
    relation: Relation
    bad: int
    good: int

    @property
    def holds(self) -> bool:
        """Only 'only' and 'neither' ask for the absence of what is counted; nothing else holds by it."""
        bad, good = self.bad, self.good
        match self.relation:
            case "bad only":
                return bad > 0 and good == 0
            case "good only":
                return good > 0 and bad == 0
            case "neither":
                return bad == good == 0
            case "more in bad":
                return bad > good > 0
            case "more in good":
                return good > bad > 0
            case "both":
                return bad > 0 and good > 0
            case "equal":
                return bad == good > 0


QUESTIONS = (
    Question("CU107", "loads of shared memory", r"LDS\b", "good only"),
    Question("CU108", "stores to global memory", r"STG\b", "more in bad"),
    Question("CU109", "loads of 16 bytes", r"LDG\S*\.128\b", "good only"),
    Question("CU110", "loads of global memory", r"LDG\b", "more in bad"),
    Question("CU111", "accesses to local memory", _LOCAL, "bad only"),
    Question("CU112", "constant loads with a computed index", r"LDC\S* \w+, c\[\w+\]\[U?R\d", "bad only"),
    Question("CU116", "atomic additions", r"(RED|ATOM)G?\b", "both"),
    Question("CU201", "loads of shared memory", r"LDS\b", "equal"),
    Question("CU205", "asynchronous copies to shared memory", r"LDGSTS\b", "good only", 80),
    Question("CU206", "stores to shared memory", r"STS\b", "more in bad"),
    Question("CU208", "barriers of the block", r"BAR\.", "more in bad"),
    Question("CU308", "barriers of the block", r"BAR\.", "more in bad"),
    Question("CU401", "divergent branches", _BRANCH, "both"),
    Question("CU404", "divergent branches", _BRANCH, "both"),
    Question("CU405", "values passed between lanes", r"SHFL\.", "good only"),
    Question("CU506", "accesses to local memory", _LOCAL, "neither"),
    Question("CU601", "instructions in double", _DOUBLE, "bad only"),
    Question("CU602", "instructions in double", _DOUBLE, "bad only"),
    Question("CU603", "instructions", r"", "more in bad"),
    Question("CU605", "instructions", r"", "more in bad"),
    Question("CU606", "special functions", r"MUFU\.", "more in bad"),
    Question("CU607", "instructions", r"", "more in bad"),
    Question("CU608", "sines on the special function units", r"MUFU\.SIN\b", "good only"),
    Question("CU609", "loads of one byte", r"LDG\S*\.[US]8\b", "bad only"),
    Question("CU611", "instructions", r"", "more in bad"),
)


def questions(code: str, arch: str) -> tuple[Question, ...]:
    """Those that are asked of a rule's pair on an architecture."""
    return tuple(one for one in QUESTIONS if one.code == code and arch_number(arch) >= one.since)


def answers(code: str, arch: str, bad: tuple[Code, ...], good: tuple[Code, ...]) -> tuple[Evidence, ...]:
    """The answers to a rule's questions, over all kernels of each variant.

    NothingToAsk where a variant has no kernel, or one that the compiler left nothing of.
    """
    asked = questions(code, arch)
    for variant, kernels in (("bad", bad), ("good", good)):
        if asked and not (kernels and all(kernel.writes for kernel in kernels)):
            raise NothingToAsk(
                f"no kernel of the {variant} variant is in the machine code and writes a result"
            )
    return tuple(Evidence(arch, one.what, one.relation, _count(one, bad), _count(one, good)) for one in asked)


def _count(question: Question, kernels: tuple[Code, ...]) -> int:
    return sum(kernel.count(question.pattern) for kernel in kernels)
