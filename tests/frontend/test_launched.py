"""Which kernels a text launches by name."""

import pytest

from cudalint.frontend.launched import uses


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
    assert {(use.name, use.launched) for use in uses([("a.cu", text)], ("k", "other"))} == {("k", True)}


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(float *out) {}",
        "template <class T> __global__ void k (T *out);",
        "extern template __global__ void k<float, 3>(float *);",
        "template <> __global__ void k<float>(float *);",
        "// k<<<1, 2>>>(x)",
        'printf("k failed");',
        "kk<<<1, 2>>>(x);",
    ],
)
def test_a_definition_a_comment_and_another_name_are_no_use(text: str) -> None:
    assert not tuple(uses([("a.cu", text)], ("k",)))
    assert not tuple(uses([("a.cu", text)], ()))


def test_an_explicit_instantiation_is_a_use_but_no_launch() -> None:
    text = 'auto s = "//"; /* two\nlines */\ntemplate __global__ void\n  k<float, 3>(float *);'
    (use,) = uses([("a.cu", text)], ("k",))
    assert (use.line, use.launched) == (4, False)
