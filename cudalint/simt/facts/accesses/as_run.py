"""Accesses of a kernel with the sizes that the program has as it is run, where nobody knows them else."""

from msgspec import Struct

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.merge import accesses
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import RunMode, run_plan
from cudalint.source.span import Span


class AccessAsRun(Struct, frozen=True):
    """An access whose number depends on sizes that nobody knows, as the program's run has it."""

    access: Access

    @property
    def span(self) -> Span:
        return self.access.span


def _conclude(kernel: KernelRuns) -> tuple[tuple[AccessAsRun, ...]]:
    open_ = {
        one.span
        for one in kernel.of(Access)
        if one.space == "global" and one.own and one.transactions.certainty == "bounded"
    }
    launch = next((launch for launch in kernel.defaults if launch.reached), None)
    if launch is None or not open_:
        return ((),)
    plan = plans(kernel.function, (launch,), kernel.options.assumptions)[0]
    if plan.configuration.origin != Origin.LAUNCH:
        return ((),)
    done = run_plan(kernel.unit, kernel.function, plan, kernel.options, RunMode(), ())
    if done.failure or done.machine.state.spent:
        return ((),)
    found = accesses([done], kernel.function.name)
    return (tuple(AccessAsRun(one) for one in found if one.own and one.span in open_),)


FACT = Fact(of=(AccessAsRun,), conclude=_conclude, needs=(Access,), extra=True)
