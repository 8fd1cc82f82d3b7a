#pragma once
#pragma clang system_header
#include "std_utility.h"
#pragma clang force_cuda_host_device begin
namespace std {
#define CUDALINT_BINARY(name, op) \
  template <class T = void> struct name { \
    using first_argument_type = T; using second_argument_type = T; using result_type = decltype(declval<T>() op declval<T>()); \
    constexpr auto operator()(const T &a, const T &b) const { return a op b; } \
  }; \
  template <> struct name<void> { \
    using is_transparent = void; \
    template <class A, class B> constexpr auto operator()(A &&a, B &&b) const { return a op b; } \
  };
CUDALINT_BINARY(plus, +) CUDALINT_BINARY(minus, -) CUDALINT_BINARY(multiplies, *) CUDALINT_BINARY(divides, /)
CUDALINT_BINARY(modulus, %) CUDALINT_BINARY(equal_to, ==) CUDALINT_BINARY(not_equal_to, !=) CUDALINT_BINARY(greater, >)
CUDALINT_BINARY(less, <) CUDALINT_BINARY(greater_equal, >=) CUDALINT_BINARY(less_equal, <=)
CUDALINT_BINARY(logical_and, &&) CUDALINT_BINARY(logical_or, ||) CUDALINT_BINARY(bit_and, &) CUDALINT_BINARY(bit_or, |)
CUDALINT_BINARY(bit_xor, ^)
#undef CUDALINT_BINARY
template <class T = void> struct negate { constexpr T operator()(const T &a) const { return -a; } };
template <class T = void> struct logical_not { constexpr bool operator()(const T &a) const { return !a; } };
struct identity { template <class T> constexpr T &&operator()(T &&t) const { return static_cast<T &&>(t); } };
template <class A, class R> struct unary_function { using argument_type = A; using result_type = R; };
template <class A, class B, class R> struct binary_function { using first_argument_type = A; using second_argument_type = B; using result_type = R; };
template <class T> struct hash {
  using argument_type = T;
  using result_type = size_t;
  size_t operator()(const T &) const;
};
template <class F> class function;
template <class R, class... A> class function<R(A...)> {
public:
  using result_type = R;
  function() noexcept;
  function(nullptr_t) noexcept;
  function(const function &);
  function(function &&) noexcept;
  template <class F, enable_if_t<!is_same_v<decay_t<F>, function> && is_invocable_v<F &, A...>, int> = 0> function(F &&);
  ~function();
  function &operator=(const function &);
  function &operator=(function &&) noexcept;
  function &operator=(nullptr_t) noexcept;
  template <class F> function &operator=(F &&);
  explicit operator bool() const noexcept;
  R operator()(A...) const;
  void swap(function &) noexcept;
  template <class T> T *target();
private:
  void *state_[4];
};
template <class R, class... A> bool operator==(const function<R(A...)> &, nullptr_t);
template <class R, class... A> bool operator!=(const function<R(A...)> &, nullptr_t);
template <class T> class reference_wrapper {
public:
  using type = T;
  template <class U> reference_wrapper(U &&);
  operator T &() const noexcept;
  T &get() const noexcept;
  template <class... A> auto operator()(A &&...a) const -> decltype(declval<T &>()(static_cast<A &&>(a)...));
private:
  T *p_;
};
template <class T> reference_wrapper<T> ref(T &) noexcept;
template <class T> reference_wrapper<const T> cref(const T &) noexcept;
template <int N> struct cudalint_placeholder {};
namespace placeholders {
inline constexpr cudalint_placeholder<1> _1{};
inline constexpr cudalint_placeholder<2> _2{};
inline constexpr cudalint_placeholder<3> _3{};
inline constexpr cudalint_placeholder<4> _4{};
}
struct cudalint_any_value { template <class T> operator T() const; };
template <class F, class... B> struct cudalint_bound { template <class... A> cudalint_any_value operator()(A &&...) const; };
template <class F, class... B> cudalint_bound<decay_t<F>, decay_t<B>...> bind(F &&, B &&...);
template <class R, class T> struct cudalint_mem_fn { template <class O, class... A> auto operator()(O &&, A &&...) const -> R; };
template <class R, class T> cudalint_mem_fn<R, T> mem_fn(R T::*);
template <class F, class... A> constexpr auto invoke(F &&f, A &&...a) -> decltype(static_cast<F &&>(f)(static_cast<A &&>(a)...)) { return static_cast<F &&>(f)(static_cast<A &&>(a)...); }
template <class F, class T> auto bind1st(F, T);
template <class F, class T> auto bind2nd(F, T);
template <class F> auto not1(F);
template <class F> auto not_fn(F);
template <class R, class A> R (*ptr_fun(R (*f)(A)))(A);
}
#pragma clang force_cuda_host_device end
