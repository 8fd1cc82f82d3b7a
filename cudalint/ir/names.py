"""Names of types as C++ writes them."""


def template_arguments(name: str) -> tuple[str, ...]:
    """('int', 'Pair<A, B>') of `Table<int, Pair<A, B>>`; nothing of a name without any. Commas inside
    brackets part nothing.
    """
    _, _, rest = name.partition("<")
    if not rest.endswith(">"):
        return ()
    parts, depth = [""], 0
    for letter in rest[:-1]:
        depth += letter in "<([{"
        depth -= letter in ">)]}"
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip() for part in parts)
