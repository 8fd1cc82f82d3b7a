"""What a rule is, and what it may ask.

A rule is one module under `cudalint.rules`: its docstring is its page, `RULE` its metadata, and `check` a
pure generator `check(subject: <model type>, context: Context) -> Iterator[Finding]`. The annotation of the
first parameter says what the rule is asked about; the engine calls it once for every such object of a unit.
Parameters between the two are facts of kernels that it takes besides, as `accesses: tuple[Access, ...]`:
those of the kernel that it is asked about, else those of all kernels of the unit. Only facts that some
chosen rule names are worked out.
"""

from collections.abc import Callable, Iterator
from inspect import cleandoc
from math import inf
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.buildfiles.facts import BuildFacts
from cudalint.gpu.devices import Device, usual
from cudalint.gpu.rates import fp64_ratio
from cudalint.gpu.throughput import throughput
from cudalint.host.facts import HostCall, HostFacts, LaunchFact
from cudalint.host.shape import as_run, blocks
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Confidence, Finding, Fix, Related
from cudalint.rule.standing import NOTHING, Standing
from cudalint.settings.severity import Severity
from cudalint.significance import host_saving, instances, launching, saving
from cudalint.significance.alongside import bounded
from cudalint.significance.call_times import Program, ends
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.launching import Change
from cudalint.significance.saving import Saving
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.comments import code
from cudalint.source.span import Span


class Rule(Struct, frozen=True):
    """A rule's metadata. `default`: on without being selected. `guides`: where the advice stands. `fixes`:
    the kinds of fix that its findings may have. `speed`: its findings cost time, and each states an impact.
    `preview`: new, and on only where the configuration asks for previews or names it. `made`: asked also
    about kernels that a library makes of the program's functions; not where it speaks of how a kernel is
    written or launched.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    confidence: Confidence = Confidence.HIGH
    default: bool = True
    guides: tuple[str, ...] = ()
    fixes: tuple[Literal["safe", "unsafe"], ...] = ()
    speed: bool = False
    preview: bool = False
    made: bool = True

    def finding(
        self,
        span: Span,
        message: str,
        *,
        notes: tuple[str, ...] = (),
        help: str = "",
        kernel: str = "",
        evidence: dict[str, Any] | None = None,
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        impact: Impact | None = None,
        condition: str | None = None,
        standing: Standing = NOTHING,
    ) -> Finding:
        """A finding of this rule at the span. The notes of `standing` come last; where it is not sure, the
        confidence is medium.
        """
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            confidence=confidence or (self.confidence if standing.sure else Confidence.MEDIUM),
            span=span,
            message=message,
            notes=(*notes, *standing.notes),
            help=help,
            kernel=kernel,
            evidence=evidence or {},
            related=related,
            fix=fix,
            impact=impact,
            condition=condition,
        )


class Context(Struct, frozen=True):
    """Everything known of one unit. `lines` holds the source of the unit and its project headers by path.

    arch is the compute capability times ten (90 for sm_90). device: what the configuration says that the code
    runs on, None where it says nothing or the unit is built for another architecture. build: what the files
    of the build say literally. fast_math: whether it asks for -use_fast_math, None where nothing tells.
    """

    unit: Unit
    kernels: tuple[KernelFacts, ...]
    host: HostFacts
    arch: int
    lines: dict[str, tuple[str, ...]] = field(default_factory=dict)
    device: Device | None = None
    build: BuildFacts | None = None
    fast_math: bool | None = None

    @property
    def fp64_ratio(self) -> int | None:
        """How many times as long arithmetic takes in double as in float, on the device if one is named; None
        where that is not known.
        """
        own = self.device.fp64_ratio if self.device is not None else None
        return own if own is not None else fp64_ratio(self.arch)

    @property
    def target(self) -> Device:
        """The device that is named, else the usual one of the architecture."""
        return self.device or usual(self.arch)

    @property
    def own(self) -> "Context":
        """Without the kernels that libraries make."""
        made = any(kernel.function.made for kernel in self.kernels)
        return replace(self, kernels=tuple(k for k in self.kernels if not k.function.made)) if made else self

    def impact(self, saved: Saving, kernel: KernelFacts) -> Impact:
        """What a fix saves of a kernel's time, on the device that is named, else on the usual one: nothing at
        least where numbers that are template arguments were chosen for it.
        """
        grid = self._blocks(kernel)
        found = saving.impact(saved, kernel, self.unit, throughput(self.target), grid)
        return replace(found, low=0.0) if kernel.function.chosen_number else found

    def _blocks(self, kernel: KernelFacts) -> int | None:
        """The most that it is launched with, as far as the program as it is run tells; None where a launch is
        not known.
        """
        launches = [one for one in self.host.every if one.key == kernel.function.key]
        known = [blocks(as_run(one, self.host.defaults)) for one in launches]
        return max((one for one in known if one is not None), default=None) if None not in known else None

    def launch_impact(self, change: Change, launch: LaunchFact) -> Impact:
        """What a launch of another shape saves of its kernel's time, on the same device."""
        kernel, own = self._run_of(launch)
        found = launching.impact(change, launch, kernel, self.unit, throughput(self.target))
        return found if own else replace(found, low=0.0)

    def calls_impact(
        self, call: HostCall, change: host_saving.Change, basis: Basis = Basis.TRANSFERS
    ) -> Impact:
        """What a change of calls saves of the time of the loop round one of them, on the same device. Not
        worked out for calls of another file of the program: they are reported there.
        """
        if call.span.path in self.unit.beside:
            return Impact(0.0, 0.0, basis)
        program = Program(self.host, self.kernels, self.unit, throughput(self.target))
        return host_saving.impact(self.host, call, change, ends(program), basis)

    def seconds(self, call: HostCall) -> tuple[float, float]:
        """What the work of a call takes on the same device, at least and at most."""
        program = Program(self.host, self.kernels, self.unit, throughput(self.target))
        found = [costs(call).device for costs in ends(program)]
        return min(found), max(found)

    def idle_blocks_impact(self, idle: int, launch: LaunchFact) -> Impact:
        """What a launch without so many blocks that do nothing saves."""
        kernel, own = self._run_of(launch)
        found = launching.of_idle_blocks(idle, launch, kernel, self.unit, throughput(self.target))
        return found if own else replace(found, low=0.0)

    def repeated_blocks_impact(self, repeated: int, launch: LaunchFact) -> Impact:
        """What a launch without so many blocks that do what others do saves."""
        kernel, own = self._run_of(launch)
        found = launching.of_repeated_blocks(repeated, launch, kernel, self.unit, throughput(self.target))
        return found if own else replace(found, low=0.0)

    def ending_atomics_impact(self, enough: int, launch: LaunchFact, whole: bool) -> Impact:
        """What a launch of so many blocks saves, where each makes an atomic on one address that all share.
        whole: on integers.
        """
        made = (one for one in self.host.calls if one.launch is not None and one.launch.span == launch.span)
        call = next(made, None)
        work = self.seconds(replace(call, launch=launch)) if call is not None else (0.0, inf)
        return launching.of_ending_atomics(blocks(launch) or 1, enough, work, throughput(self.target), whole)

    def _run_of(self, launch: LaunchFact) -> tuple[KernelFacts | None, bool]:
        """The kernel of a launch, and whether it is its own: of a template it may be an instantiation that
        was run where its own was not, and what that does at least is not known of the other.
        """
        launched = self.unit.functions.get(launch.key or "")
        place = launched.extent if launched is not None else None
        alike = [one for one in self.kernels if one.function.extent == place]
        own = next((one for one in alike if one.function.key == launch.key), None)
        return own or next(iter(alike), None), own is not None

    def impact_of(self, saved: Saving) -> Impact:
        """The same of the kernel, of all that come to the place, that it saves most; where none does, of what
        stands beside it.
        """
        ran = instances.of_those_run(saved, self.kernels, self.unit)
        found = [self.impact(own, kernel) for own, kernel in ran]
        if not found:
            return bounded(saved, self.unit)
        return max(found, key=lambda one: (one.high, one.low))

    def text(self, span: Span) -> str:
        """The source text of a span; '' when the file's text is not at hand."""
        lines = self.lines.get(span.path, ())
        if not lines or span.end_line > len(lines):
            return ""
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first = lines[span.line - 1][span.column - 1 :]
        last = lines[span.end_line - 1][: span.end_column - 1]
        return "\n".join([first, *lines[span.line : span.end_line - 1], last])

    def code(self, span: Span) -> str:
        """The text of a span with nothing in its comments and strings."""
        return code(self.text(span))


class LoadedRule(Struct, frozen=True):
    """A rule as the engine found it: metadata, docstring, the type it asks about and its generator."""

    rule: Rule
    docstring: str
    subject: type
    check: Callable[..., Iterator[Finding]]
    facts: tuple[type, ...] = ()  # of kernels, that `check` takes besides: their types, in order

    @property
    def page(self) -> str:
        """The docstring without its indentation."""
        return cleandoc(self.docstring)

    def findings(
        self, subject: Any, facts: tuple[tuple[Any, ...], ...], context: Context
    ) -> Iterator[Finding]:
        """What the rule finds. facts: the parts of each fact that it takes."""
        if self.rule.made:
            return self.check(subject, *facts, context)
        about_made = isinstance(subject, KernelFacts) and subject.function.made
        return iter(()) if about_made else self.check(subject, *facts, context.own)
