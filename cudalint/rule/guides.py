"""The guides that rules cite by number in their `Source` sections, and where the public ones can be read."""

_PRACTICES = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html"
_PROGRAMMING = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html"
GUIDES = {
    "000": f"NVIDIA's [CUDA C++ Best Practices Guide]({_PRACTICES}), by its section numbers",
    "001": f"a CUDA tutorial, on the subjects of NVIDIA's [CUDA C++ Programming Guide]({_PROGRAMMING})",
    "002": f"lecture notes on CUDA best practices, after NVIDIA's [guide]({_PRACTICES})",
    "003": "the book Professional CUDA C Programming (J. Cheng, M. Grossman, T. McKercher; Wrox, 2014)",
    "004": f"NVIDIA's slides The Art of Performance Optimization; most is in the [guide]({_PRACTICES})",
}
_SECTIONS = {
    "8.1": "timing",
    "9.2": "device-memory-spaces",
    "9.3": "allocation",
    "11.1": "arithmetic-instructions",
    "12": "control-flow",
    "B": "nvcc-compiler-switches",
}


def legend(cited: tuple[str, ...]) -> str:
    """One line per guide that citations such as '000 9.2' name, in order."""
    numbers = sorted({citation.split()[0] for citation in cited})
    return "\n".join(f"- {number}: {GUIDES[number]}" for number in numbers if number in GUIDES)


def address(cited: tuple[str, ...]) -> str | None:
    """The public page to read on: the section of the Best Practices Guide that is cited, else the guide whose
    subject it is; None where nothing is cited.
    """
    for citation in sorted(cited):
        number, _, section = citation.partition(" ")
        if number == "000":
            return f"{_PRACTICES}#{_SECTIONS[section]}" if section in _SECTIONS else _PRACTICES
    return _PROGRAMMING if cited else None
