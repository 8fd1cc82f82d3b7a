"""What several launches of a kernel pass, put together."""

from msgspec.structs import replace

from cudalint.host.facts import Argument, Buffer, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.simt.launch.arguments import MOST_LAUNCHES, together
from cudalint.source.span import Span

SPAN = Span("a.cu", 1, 1, 1, 2)
NODE = e.Launch(None, "k", e.Literal(1, t.INT, SPAN), e.Literal(1, t.INT, SPAN), None, None, (), t.VOID, SPAN)
A, B, C = (Buffer(number, "device", 64 * number, "abc"[number - 1], SPAN) for number in (1, 2, 3))


def launch(*arguments: Argument) -> LaunchFact:
    return LaunchFact(None, "k", SPAN, (1, 1, 1), (32, 1, 1), 0, "default", arguments, NODE, "main")


def pointer(buffer: Buffer, offset: int | None = 0, step: int | None = None) -> Argument:
    return Argument(buffer=buffer, offset=offset, multiple_of=step)


def merged(*rows: tuple[Argument, ...]) -> tuple[Argument, ...]:
    found = together([launch(*row) for row in rows])
    assert found is not None
    return found


def test_what_is_alike_is_known() -> None:
    assert merged((Argument(value=3, expression="n"),), (Argument(value=3, expression="m"),)) == (
        Argument(value=3, expression="n"),
    )


def test_numbers_stand_side_by_side_in_one_order() -> None:
    n, m = merged((Argument(value=64), Argument(value=2)), (Argument(value=96), Argument(value=1)))
    assert (n.value, n.values, n.multiple_of) == (None, (64, 96), 32)
    assert (m.values, m.multiple_of) == ((2, 1), None)


def test_an_unknown_number_keeps_the_common_divisor() -> None:
    (n,) = merged((Argument(value=64),), (Argument(multiple_of=24),))
    assert (n.value, n.values, n.multiple_of) == (None, (), 8)


def test_of_many_launches_the_first_and_the_last_are_tried() -> None:
    (n,) = merged(*((Argument(value=10 * i),) for i in range(1, 9)))
    assert n.values == (10, 30, 50, 80)
    assert len(n.values) == MOST_LAUNCHES


def test_two_parameters_share_a_buffer_only_where_every_launch_shares_it() -> None:
    a, b, c = merged(
        (pointer(A), pointer(A, 32), pointer(B)),
        (pointer(C), pointer(C, 32), pointer(C)),
    )
    assert a.buffer is not None
    assert b.buffer is not None
    assert c.buffer is not None
    assert a.buffer == b.buffer
    assert (a.offset, b.offset, c.offset) == (0, 32, 0)
    assert a.buffer.id != c.buffer.id
    assert a.buffer.bytes is None


def test_offsets_that_differ_keep_their_divisor() -> None:
    (a,) = merged((pointer(A, 0),), (pointer(A, 96),), (pointer(A, None, 64),))
    assert (a.buffer, a.offset, a.multiple_of) == (A, None, 32)
    (b,) = merged((pointer(A, 0),), (pointer(B, None),))
    assert (b.offset, b.multiple_of) == (None, None)


def test_a_pointer_that_one_launch_does_not_know_is_not_known() -> None:
    assert merged((pointer(A),), (Argument(),)) == (Argument(),)


def test_a_pointer_that_one_launch_does_not_know_may_lie_as_the_others_do() -> None:
    assert merged((pointer(A, 4),), (Argument(),))[0] == Argument(multiple_of=4)
    assert merged((pointer(A, 1),), (Argument(),))[0] == Argument(multiple_of=1)
    assert merged((pointer(A, 0),), (Argument(),))[0] == Argument()


def test_members_of_structs_are_put_together_one_by_one() -> None:
    first = Argument(fields=((0, Argument(value=4)), (4, Argument(value=5)), (8, pointer(A))))
    second = Argument(fields=((0, Argument(value=4)), (4, Argument(value=7)), (8, pointer(A))))
    (found,) = merged((first,), (second,))
    assert dict(found.fields) == {0: Argument(value=4), 4: Argument(values=(5, 7)), 8: pointer(A)}


def test_a_launch_with_unknown_arguments_leaves_nothing_known() -> None:
    unknown = replace(launch(), arguments=None)
    assert together([launch(Argument(value=1)), unknown]) is None
    assert together([]) is None
