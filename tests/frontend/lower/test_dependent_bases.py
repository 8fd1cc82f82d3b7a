"""Bases that a class template names by its parameters have their fields where the ABI puts them."""

import pytest

from tests.support.modelled import modelled


@pytest.mark.parametrize(
    ("classes", "kind", "use"),
    [
        ("template <class X> struct B { int n; }; template <class Q> struct D : B<Q> {};", "D<int>", "v.n"),
        (
            "template <class X> struct B { int n; }; template <class Q> struct D : B<D<Q>> {};",
            "D<int>",
            "v.n",
        ),
        ("struct Q { int n; }; template <class P> struct D : P { float x; };", "D<Q>", "v.n"),
        ("struct Q { struct T { int n; }; }; template <class P> struct D : P::T {};", "D<Q>", "v.n"),
        (
            "template <class X> struct B { int n; __device__ int get() const { return n; } };"
            "struct C { float *q; }; template <class Q> struct D : C, B<Q> { int own; };",
            "D<int>",
            "v.get() + v.own",
        ),
    ],
)
def test_a_field_of_a_dependent_base_is_a_number_of_the_launch(classes: str, kind: str, use: str) -> None:
    unit, kernel = modelled(
        f"{classes}\n__global__ void k(float *p, {kind} v) {{ p[({use}) * 32 + threadIdx.x] = 1; }}\n"
    )
    (access,) = kernel.accesses
    assert access.transactions.per_request == 4
    assert sum(field.name == "n" for field in unit.records[kind].fields) == 1
