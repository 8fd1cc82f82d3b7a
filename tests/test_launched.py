"""Which kernels a text launches by name."""

import pytest

from cudalint.frontend.launched import launched


@pytest.mark.parametrize(
    "text",
    [
        "k<<<1, 2>>>(x);",
        "k<T, sizeof(T)> <<<g, b>>>(x);",
        "name::k\n    <A<B>, 3><<<g, b>>>(x);",
        "auto f = &k<float>;",
        "cudaLaunchKernel((void *)k, g, b, args, 0, s);",
        "LAUNCH(k, g, b)",
    ],
)
def test_a_name_without_a_parameter_list_is_launched(text: str) -> None:
    assert launched((text,), ("k", "other")) == {"k"}


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(float *out) {}",
        "template <class T> __global__ void k (T *out);",
        "template __global__ void k<float, 3>(float *);",
        "// k<<<1, 2>>>(x)",
        'printf("k failed");',
        "kk<<<1, 2>>>(x);",
    ],
)
def test_a_definition_a_comment_and_another_name_are_no_launch(text: str) -> None:
    assert launched((text,), ("k",)) == frozenset()
    assert launched((text,), ()) == frozenset()
