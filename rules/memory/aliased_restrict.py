"""
## What it does
Finds launches that pass the same pointer for two parameters of a kernel, at least one of them `__restrict__`,
where the kernel writes through one of them.

## Why it costs
`__restrict__` promises that nothing else leads to the memory. The compiler then moves loads across stores,
keeps values in registers and reads through the cache for read-only data: the kernel may compute with values
from before a store or after it, and another compiler or option may choose differently.

## Example
```cuda
__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n) out[i] = 0.5f * (in[i] + in[i - 1]);
}
smooth<<<4096, 256>>>(data, data, n);
```

## Instead
```cuda
smooth<<<4096, 256>>>(data, smoothed, n);
```
or a kernel without `__restrict__` where it is safe to work in place.

## Limits
- Only pointers that are known to be equal: the same buffer at the same offset, or the same expression. Ranges
  that overlap with different starts are not reported.
- One `__restrict__` alone: not reported where each thread loads one element and stores the same one.
- Two: a warning where each thread loads one element and stores the same one: still undefined, but today's
  compilers keep the order.
- A warning with its condition where the host function chooses a buffer by `?:` or under an `if`, and one
  choice is the other argument; silent where conditions round the launch ask for the same numbers.
- Silent where CU113 reports a load of what other threads write.

## Source
CUDA C++ Programming Guide, '__restrict__'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostFacts
from cudalint.host.restrict_aliases import RestrictAlias, restrict_aliases
from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.stale_reads import StaleRead

RULE = Rule(
    code="CU117",
    name="aliased-restrict",
    severity=Severity.ERROR,
    summary="one buffer is passed for a __restrict__ parameter and another one, and written",
)


def check(host: HostFacts, stale: tuple[StaleRead, ...], context: Context) -> Iterator[Finding]:
    """One finding for each launch in the source and pair of parameters."""
    told = {one.kernel for one in stale if one.certain and one.reader != one.writer}
    seen = set()
    for alias in restrict_aliases(context.unit, host):
        place = alias.launch.span, alias.written.name, alias.other.name
        if place not in seen and alias.launch.name not in told and alias.launch.span.path in context.lines:
            seen.add(place)
            yield _finding(alias)


def _finding(alias: RestrictAlias) -> Finding:
    written, other = alias.written, alias.other
    return RULE.finding(
        alias.launch.span,
        f"`{alias.passed}` is passed for `{other.name}` and `{written.name}`, {_promise(alias)},"
        f" and written through `{written.name}`",
        notes=("each thread stores the element that it loaded: undefined all the same",)
        if alias.elementwise
        else (f"the compiler may move loads of `{other.name}` across stores to `{written.name}`",),
        help="pass two buffers, or remove `__restrict__`" + (" from both" if _both(alias) else ""),
        kernel=alias.launch.name,
        evidence={"written": written.name, "other": other.name},
        severity=Severity.WARNING if alias.elementwise or alias.condition else None,
        condition=alias.condition or None,
        related=(Related(written.span, "declared here"),),
    )


def _is_restrict(parameter: e.Variable) -> bool:
    return isinstance(parameter.type, Pointer) and parameter.type.restrict


def _both(alias: RestrictAlias) -> bool:
    return _is_restrict(alias.written) and _is_restrict(alias.other)


def _promise(alias: RestrictAlias) -> str:
    if _both(alias):
        return "both `__restrict__`"
    strict = next(one for one in (alias.written, alias.other) if _is_restrict(one))
    return f"of which `{strict.name}` is `__restrict__`"
