"""Arithmetic on integers as C++ defines it, before the result is stored: division rounds towards zero."""


def calculated(operator: str, a: int, b: int) -> int | None:
    """The result; None for what is not defined, and for other operators."""
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%" if b:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if operator == "/" else a - quotient * b
        case "<<" if 0 <= b < 63:
            return a << b
        case ">>" if 0 <= b < 63:
            return a >> b
    return None
