"""The guides that rules cite by number in their `Source` sections."""

GUIDES = {
    "000": "notes on the CUDA C++ Best Practices Guide (NVIDIA)",
    "001": "a CUDA tutorial: memory spaces, streams, events, textures, optimisation",
    "002": "lecture notes on CUDA best practices: measuring, memory access, reduction",
    "003": "notes on Professional CUDA C Programming (Cheng, Grossman, McKercher)",
    "004": "lecture slides, 'The art of performance optimization' (NVIDIA)",
}


def legend(cited: tuple[str, ...]) -> str:
    """One line per guide that citations such as '000 9.2' name, in order."""
    numbers = sorted({citation.split()[0] for citation in cited})
    return "\n".join(f"- {number}: {GUIDES[number]}" for number in numbers if number in GUIDES)
