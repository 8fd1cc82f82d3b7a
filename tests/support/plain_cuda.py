"""Generated kernels as CUDA, with a marker on each line that has an access or a branch."""

from typing import Any

from tests.support.plain import C_TYPES, LOADS, PARAMETERS, SHARED_ROWS, STORES, Node


def c_text(node: Node) -> str:
    """An expression in C++."""
    match node:
        case ("const", "u", value):
            return f"{value}u"
        case ("const", "l", value):
            return f"{value}ll"
        case ("const", _, value):
            return str(value)
        case ("name", _, name):
            return str(name)
        case ("binary", _, op, left, right):
            return f"({c_text(left)} {op} {c_text(right)})"
        case ("unary", _, op, inner):
            return f"({op}{c_text(inner)})"
        case ("least", kind, op, left, right):
            return f"{op}(({C_TYPES[kind]}){c_text(left)}, ({C_TYPES[kind]}){c_text(right)})"
        case ("cast", _, target, inner):
            return f"(({target}){c_text(inner)})"
        case ("choose", _, condition, then, otherwise):
            return f"({c_text(condition)} ? {c_text(then)} : {c_text(otherwise)})"
        case ("local", _, row, column):
            return f"t[{c_text(row)}][{c_text(column)}]"
        case ("pure", _, name, _, first, second):
            return f"{name}({c_text(first)}, {c_text(second)})"
    raise ValueError(node)


def statement(node: Node, depth: int = 1) -> str:
    """A statement in C++, one access or branch a line."""
    pad = "    " * depth

    def line(text: str, marker: str = "") -> str:
        return f"{pad}{text}{' // ' + marker if marker else ''}\n"

    match node:
        case ("block", *body):
            return "".join(statement(part, depth) for part in body)
        case ("load", site, name, *indices):
            return line(f"total += {LOADS[name].c.format(*map(c_text, indices))};", f"site {site}")
        case ("store", site, name, *indices):
            there = STORES[name].c.format(*map(c_text, indices))
            return line(f"{there} = {STORES[name].value};", f"site {site}")
        case ("either", branch, condition, first, second):
            a, b = (LOADS[x[2]].c.format(*map(c_text, x[3:])) for x in (first, second))
            return (
                line(f"total += ({c_text(condition)})", f"conditional {branch}")
                + line(f"    ? {a}", f"site {first[1]}")
                + line(f"    : {b};", f"site {second[1]}")
            )
        case ("if", branch, condition, then, otherwise):
            text = line(f"if ({c_text(condition)}) {{", f"if {branch}") + statement(then, depth + 1)
            if otherwise is not None:
                text += line("} else {") + statement(otherwise, depth + 1)
            return text + line("}")
        case ("leave", branch, condition, how):
            return line(f"if ({c_text(condition)}) {c_leave(how)}", f"if {branch}")
        case ("for", branch, kind, name, start, condition, step, body):
            head = f"for ({C_TYPES[kind]} {name} = {c_text(start)}; {c_text(condition)}; {name} {step})"
            return line(f"{head} {{", f"loop {branch}") + statement(body, depth + 1) + line("}")
        case ("while", branch, name, start, condition, step, body):
            text = line(f"int {name} = {c_text(start)};") + line(
                f"while ({c_text(condition)}) {{", f"loop {branch}"
            )
            return text + line(f"    {name} {step};") + statement(body, depth + 1) + line("}")
        case ("do", branch, name, start, condition, step, body):
            text = line(f"int {name} = {c_text(start)};") + line("do {") + line(f"    {name} {step};")
            return (
                text + statement(body, depth + 1) + line(f"}} while ({c_text(condition)});", f"loop {branch}")
            )
        case ("switch", branch, subject, *cases):
            text = line(f"switch ({c_text(subject)}) {{", f"switch {branch}")
            for value, body, through in cases:
                text += line("default: {" if value is None else f"case {value}: {{")
                text += statement(body, depth + 1) + line("}" if through else "} break;")
            return text + line("}")
        case ("assign", name, _, op, value):
            return line(f"{name} {op}= {c_text(value)};")
        case ("set", row, column, value):
            return line(f"t[{c_text(row)}][{c_text(column)}] = {c_text(value)};")
        case ("row", op, value):
            return line(f"row {op}= {c_text(value)};")
        case ("call", name, _, how, target, first, second):
            passed = f"&{target}" if how == "pointer" else target
            return line(f"v0 = {name}({c_text(first)}, {c_text(second)}, {passed}, in, out, total);")
    raise ValueError(node)


def c_leave(how: Any) -> str:
    return (
        f"return{' ' + c_text(how[1]) if how[1] is not None else ''};" if how[0] == "return" else f"{how[0]};"
    )


RECEIVED = {"value": "int r", "reference": "int &r", "pointer": "int *r"}


def cuda(kernel: Node) -> str:
    """The kernel and its functions. Its loads are volatile: none is taken from a register."""
    _, name, functions, table, body = kernel
    text = ""
    for kind, function, how, inner, result in functions:
        if kind == "pure":
            head = f"int {function}(int a, unsigned b)"
        else:
            pointers = "const volatile float *in, float *out, float &total"
            head = f"int {function}(int a, unsigned b, {RECEIVED[how]}, {pointers})"
        local = "    int v0 = a;\n" if kind == "called" else ""
        text += f"__device__ {head} {{\n{local}{statement(inner)}    return {c_text(result)};\n}}\n"
    rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in table)
    return (
        f"{text}__global__ void {name}({PARAMETERS}) {{\n"
        "    int tid = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z, bid = blockIdx.x;\n"
        "    int v0 = tid, v1 = 3;\n    unsigned u0 = ty;\n    float total = 0.0f;\n"
        f"    int t[{len(table)}][{len(table[0])}] = {{{rows}}};\n"
        "    const volatile float *row = in + tid;\n"
        f"    __shared__ volatile float s4[{SHARED_ROWS}][33];\n"
        f"    __shared__ volatile double s8[{SHARED_ROWS}][17];\n"
        f"{statement(body)}"
        "    out[tid] = total; // site last\n"
        "}\n"
    )
