"""Small pieces of text that messages and notes are made of."""


def listed(parts: list[str]) -> str:
    """'a', 'a and b', 'a, b and c', each once."""
    *most, last = dict.fromkeys(parts)
    return f"{', '.join(most)} and {last}" if most else last
