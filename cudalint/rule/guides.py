"""The guides that rules cite by number in their `Source` sections, and where the public ones can be read."""

_PRACTICES = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html"
_PROGRAMMING = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html"
GUIDES = {
    "000": f"NVIDIA's [CUDA C++ Best Practices Guide]({_PRACTICES}), by the section numbers of CUDA 12 "
    "(one less than those of CUDA 13)",
    "001": f"a CUDA tutorial, on the subjects of NVIDIA's [CUDA C++ Programming Guide]({_PROGRAMMING})",
    "002": f"lecture notes on CUDA best practices, after NVIDIA's [guide]({_PRACTICES})",
    "003": "the book Professional CUDA C Programming (J. Cheng, M. Grossman, T. McKercher; Wrox, 2014)",
    "004": f"NVIDIA's slides The Art of Performance Optimization; most is in the [guide]({_PRACTICES})",
}
# Titles of sections, which stay when their numbers change: the page's anchors are made of them.
_SECTIONS = {
    "8.1": "Timing",
    "9.2": "Device Memory Spaces",
    "9.3": "Allocation",
    "11.1": "Arithmetic Instructions",
    "12": "Control Flow",
    "B": "nvcc Compiler Switches",
}


def legend(cited: tuple[str, ...]) -> str:
    """One line per guide that citations such as '000 9.2' name, in order, with the sections."""
    numbers = sorted({citation.split()[0] for citation in cited})
    return "\n".join(
        f"- {number}: {GUIDES[number]}{_named(number, cited)}" for number in numbers if number in GUIDES
    )


def _named(number: str, cited: tuple[str, ...]) -> str:
    sections = sorted(c.partition(" ")[2] for c in cited if c.startswith("000 ") and number == "000")
    links = [f"[{title}]({_section(title)})" for s in sections if (title := _SECTIONS.get(s)) is not None]
    return f": {', '.join(links)}" if links else ""


def _section(title: str) -> str:
    return f"{_PRACTICES}#{title.lower().replace(' ', '-')}"


def address(cited: tuple[str, ...]) -> str | None:
    """The public page to read on: the section of the Best Practices Guide that is cited, else the guide whose
    subject it is; None where nothing is cited.
    """
    for citation in sorted(cited):
        number, _, section = citation.partition(" ")
        if number == "000":
            return _section(_SECTIONS[section]) if section in _SECTIONS else _PRACTICES
    return _PROGRAMMING if cited else None
