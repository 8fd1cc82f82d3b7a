#pragma once
#pragma clang system_header
#include "std_utility.h"
#pragma clang force_cuda_host_device begin
namespace std {
#define CUDALINT_BINARY(name, op) \
  template <class __T = void> struct name { \
    using first_argument_type = __T; using second_argument_type = __T; using result_type = decltype(declval<__T>() op declval<__T>()); \
    constexpr auto operator()(const __T &a, const __T &b) const { return a op b; } \
  }; \
  template <> struct name<void> { \
    using is_transparent = void; \
    template <class __A, class __B> constexpr auto operator()(__A &&a, __B &&b) const { return a op b; } \
  };
CUDALINT_BINARY(plus, +) CUDALINT_BINARY(minus, -) CUDALINT_BINARY(multiplies, *) CUDALINT_BINARY(divides, /)
CUDALINT_BINARY(modulus, %) CUDALINT_BINARY(equal_to, ==) CUDALINT_BINARY(not_equal_to, !=) CUDALINT_BINARY(greater, >)
CUDALINT_BINARY(less, <) CUDALINT_BINARY(greater_equal, >=) CUDALINT_BINARY(less_equal, <=)
CUDALINT_BINARY(logical_and, &&) CUDALINT_BINARY(logical_or, ||) CUDALINT_BINARY(bit_and, &) CUDALINT_BINARY(bit_or, |)
CUDALINT_BINARY(bit_xor, ^)
#undef CUDALINT_BINARY
template <class __T = void> struct negate { constexpr __T operator()(const __T &a) const { return -a; } };
template <class __T = void> struct logical_not { constexpr bool operator()(const __T &a) const { return !a; } };
struct identity { template <class __T> constexpr __T &&operator()(__T &&t) const { return static_cast<__T &&>(t); } };
template <class __A, class __R> struct unary_function { using argument_type = __A; using result_type = __R; };
template <class __A, class __B, class __R> struct binary_function { using first_argument_type = __A; using second_argument_type = __B; using result_type = __R; };
template <class __T> struct hash {
  using argument_type = __T;
  using result_type = size_t;
  size_t operator()(const __T &) const;
};
template <class __F> class function;
template <class __R, class... __A> class function<__R(__A...)> {
public:
  using result_type = __R;
  function() noexcept;
  function(nullptr_t) noexcept;
  function(const function &);
  function(function &&) noexcept;
  template <class __F, enable_if_t<!is_same_v<decay_t<__F>, function> && is_invocable_r_v<__R, __F &, __A...>, int> = 0> function(__F &&);
  ~function();
  function &operator=(const function &);
  function &operator=(function &&) noexcept;
  function &operator=(nullptr_t) noexcept;
  template <class __F> function &operator=(__F &&);
  explicit operator bool() const noexcept;
  __R operator()(__A...) const;
  void swap(function &) noexcept;
  template <class __T> __T *target();
private:
  void *state_[4];
};
template <class __R, class... __A> bool operator==(const function<__R(__A...)> &, nullptr_t);
template <class __R, class... __A> bool operator!=(const function<__R(__A...)> &, nullptr_t);
template <class __T> class reference_wrapper {
public:
  using type = __T;
  template <class __U> reference_wrapper(__U &&);
  operator __T &() const noexcept;
  __T &get() const noexcept;
  template <class... __A> auto operator()(__A &&...a) const -> decltype(declval<__T &>()(static_cast<__A &&>(a)...));
private:
  __T *p_;
};
template <class __T> reference_wrapper<__T> ref(__T &) noexcept;
template <class __T> reference_wrapper<const __T> cref(const __T &) noexcept;
template <int __N> struct cudalint_placeholder {};
namespace placeholders {
inline constexpr cudalint_placeholder<1> _1{};
inline constexpr cudalint_placeholder<2> _2{};
inline constexpr cudalint_placeholder<3> _3{};
inline constexpr cudalint_placeholder<4> _4{};
}
struct cudalint_any_value { template <class __T> operator __T() const; };
template <class __F, class... __B> struct cudalint_bound { template <class... __A> cudalint_any_value operator()(__A &&...) const; };
template <class __F, class... __B> cudalint_bound<decay_t<__F>, decay_t<__B>...> bind(__F &&, __B &&...);
template <class __R, class __T> struct cudalint_mem_fn { template <class __O, class... __A> auto operator()(__O &&, __A &&...) const -> __R; };
template <class __R, class __T> cudalint_mem_fn<__R, __T> mem_fn(__R __T::*);
template <class __F, class... __A> constexpr auto invoke(__F &&f, __A &&...a) -> decltype(static_cast<__F &&>(f)(static_cast<__A &&>(a)...)) { return static_cast<__F &&>(f)(static_cast<__A &&>(a)...); }
template <class __F, class __T> auto bind1st(__F, __T);
template <class __F, class __T> auto bind2nd(__F, __T);
template <class __F> auto not1(__F);
template <class __F> auto not_fn(__F);
template <class __R, class __A> __R (*ptr_fun(__R (*f)(__A)))(__A);
}
#pragma clang force_cuda_host_device end
