// Thrust: functors, pairs and tuples, complex numbers, iterators.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "../complex"
#include "../functional"
#include "../iterator"
#include "../tuple"
#include "../utility"
#include "../limits"
#include "../random"
#include "../stdexcept"
#include "../iostream"
#include "../memory"
#include "../chrono"
#include "std_place.h"
#include "wrapped.h"
#define THRUST_VERSION 200300
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 3
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_NS_QUALIFIER ::thrust
#define THRUST_DEVICE_SYSTEM_CPP 1
#define THRUST_DEVICE_SYSTEM_CUDA 2
#define THRUST_DEVICE_SYSTEM 2
#pragma clang force_cuda_host_device begin
namespace thrust {
using std::plus; using std::minus; using std::multiplies; using std::divides; using std::modulus; using std::equal_to;
using std::not_equal_to; using std::greater; using std::less; using std::greater_equal; using std::less_equal;
using std::logical_and; using std::logical_or; using std::logical_not; using std::bit_and; using std::bit_or;
using std::bit_xor; using std::negate;
using std::pair; using std::make_pair; using std::tuple; using std::make_tuple; using std::tie; using std::get; using std::tuple_size;
using std::tuple_element; using std::min; using std::max; using std::swap; using std::advance; using std::distance; using std::ignore;
template <class __A, class __R> struct unary_function { using argument_type = __A; using result_type = __R; };
template <class __A, class __B, class __R> struct binary_function { using first_argument_type = __A; using second_argument_type = __B; using result_type = __R; };
template <class __T = void> struct identity { using argument_type = __T; using result_type = __T; constexpr const __T &operator()(const __T &a) const { return a; } };
template <class __T = void> struct square { constexpr __T operator()(const __T &a) const { return a * a; } };
template <class __T = void> struct maximum { constexpr __T operator()(const __T &a, const __T &b) const { return a < b ? b : a; } };
template <class __T = void> struct minimum { constexpr __T operator()(const __T &a, const __T &b) const { return b < a ? b : a; } };
template <> struct maximum<void> { template <class __A, class __B> constexpr __A operator()(const __A &a, const __B &b) const { return a < b ? b : a; } };
template <> struct minimum<void> { template <class __A, class __B> constexpr __A operator()(const __A &a, const __B &b) const { return b < a ? b : a; } };
template <class __A = void, class __B = void> struct project1st { constexpr const __A &operator()(const __A &a, const __B &) const { return a; } };
template <class __A = void, class __B = void> struct project2nd { constexpr const __B &operator()(const __A &, const __B &b) const { return b; } };
template <class __F> struct cudalint_not { __F f; template <class... __A> constexpr bool operator()(const __A &...a) const { return !f(a...); } };
template <class __F> cudalint_not<__F> not1(__F f) { return {f}; }
template <class __F> cudalint_not<__F> not2(__F f) { return {f}; }
template <class __F> cudalint_not<__F> not_fn(__F f) { return {f}; }
template <class __F> struct zip_function { __F f; template <class __T> decltype(auto) operator()(__T &&t) const { return std::apply(f, (__T &&)t); } };
template <class __F> zip_function<__F> make_zip_function(__F f) { return {f}; }
// A placeholder expression: what it computes is not modelled, only that it is callable.
struct cudalint_expression { template <class... __A> std::cudalint_any_value operator()(__A &&...) const; };
#define __P(op) template <class __T> cudalint_expression operator op(cudalint_expression, const __T &); template <class __T> cudalint_expression operator op(const __T &, cudalint_expression); cudalint_expression operator op(cudalint_expression, cudalint_expression);
__P(+) __P(-) __P(*) __P(/) __P(%) __P(==) __P(!=) __P(<) __P(>) __P(<=) __P(>=) __P(&&) __P(||) __P(&) __P(|) __P(^)
#undef __P
cudalint_expression operator-(cudalint_expression);
cudalint_expression operator!(cudalint_expression);
namespace placeholders { inline constexpr cudalint_expression _1{}, _2{}, _3{}, _4{}; }

// Aligned as the pair that it is, so that one access moves it.
template <class __T> struct alignas(2 * sizeof(__T)) complex {
  using value_type = __T;
  __T cudalint_re, cudalint_im;
  complex() = default;
  constexpr complex(const __T &r) : cudalint_re(r), cudalint_im() {}
  template <class __A, class __B> constexpr complex(const __A &r, const __B &i) : cudalint_re(r), cudalint_im(i) {}
  template <class __U> constexpr complex(const complex<__U> &z) : cudalint_re(z.real()), cudalint_im(z.imag()) {}
  template <class __U> constexpr complex(const std::complex<__U> &z) : cudalint_re(z.real()), cudalint_im(z.imag()) {}
  constexpr __T real() const { return cudalint_re; }
  constexpr __T imag() const { return cudalint_im; }
  void real(__T r) { cudalint_re = r; }
  void imag(__T i) { cudalint_im = i; }
  operator std::complex<__T>() const { return std::complex<__T>(cudalint_re, cudalint_im); }
  complex &operator=(const __T &r) { cudalint_re = r; cudalint_im = __T(); return *this; }
  template <class __U> complex &operator+=(const complex<__U> &z) { return *this = *this + z; }
  template <class __U> complex &operator-=(const complex<__U> &z) { return *this = *this - z; }
  template <class __U> complex &operator*=(const complex<__U> &z) { return *this = *this * z; }
  template <class __U> complex &operator/=(const complex<__U> &z) { return *this = *this / z; }
  complex &operator+=(const __T &r) { cudalint_re += r; return *this; }
  complex &operator-=(const __T &r) { cudalint_re -= r; return *this; }
  complex &operator*=(const __T &r) { cudalint_re *= r; cudalint_im *= r; return *this; }
  complex &operator/=(const __T &r) { cudalint_re /= r; cudalint_im /= r; return *this; }
};
template <class __T, class __U> using cudalint_wider = complex<std::common_type_t<__T, __U>>;
template <class __T, class __U> cudalint_wider<__T, __U> operator+(const complex<__T> &a, const complex<__U> &b) { return cudalint_wider<__T, __U>(a.real() + b.real(), a.imag() + b.imag()); }
template <class __T, class __U> cudalint_wider<__T, __U> operator-(const complex<__T> &a, const complex<__U> &b) { return cudalint_wider<__T, __U>(a.real() - b.real(), a.imag() - b.imag()); }
template <class __T, class __U> cudalint_wider<__T, __U> operator*(const complex<__T> &a, const complex<__U> &b) { return cudalint_wider<__T, __U>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()); }
template <class __T, class __U> cudalint_wider<__T, __U> operator/(const complex<__T> &a, const complex<__U> &b) {
  std::common_type_t<__T, __U> n = b.real() * b.real() + b.imag() * b.imag();
  return cudalint_wider<__T, __U>((a.real() * b.real() + a.imag() * b.imag()) / n, (a.imag() * b.real() - a.real() * b.imag()) / n);
}
#define __P(op) \
  template <class __T, class __U> cudalint_wider<__T, __U> operator op(const complex<__T> &a, const __U &b) { return a op complex<__U>(b); } \
  template <class __T, class __U> cudalint_wider<__T, __U> operator op(const __U &a, const complex<__T> &b) { return complex<__U>(a) op b; }
__P(+) __P(-) __P(*) __P(/)
#undef __P
template <class __T> complex<__T> operator-(const complex<__T> &z) { return complex<__T>(-z.real(), -z.imag()); }
template <class __T> complex<__T> operator+(const complex<__T> &z) { return z; }
template <class __T, class __U> bool operator==(const complex<__T> &a, const complex<__U> &b) { return a.real() == b.real() && a.imag() == b.imag(); }
template <class __T, class __U> bool operator==(const complex<__T> &a, const __U &b) { return a.real() == b && a.imag() == __T(); }
template <class __T, class __U> bool operator==(const __U &a, const complex<__T> &b) { return b == a; }
template <class __T, class __U> bool operator!=(const complex<__T> &a, const complex<__U> &b) { return !(a == b); }
template <class __T, class __U> bool operator!=(const complex<__T> &a, const __U &b) { return !(a == b); }
template <class __T, class __U> bool operator!=(const __U &a, const complex<__T> &b) { return !(b == a); }
CUDALINT_COMPLEX_FUNCTIONS
template <class __T, class __C, class __R> std::basic_ostream<__C, __R> &operator<<(std::basic_ostream<__C, __R> &, const complex<__T> &);
template <class __T, class __C, class __R> std::basic_istream<__C, __R> &operator>>(std::basic_istream<__C, __R> &, complex<__T> &);

using std::random_access_iterator_tag;
template <class __I> using iterator_traits = std::iterator_traits<__I>;
template <class __I> struct iterator_value { using type = typename std::iterator_traits<__I>::value_type; };
template <class __I> struct iterator_difference { using type = typename std::iterator_traits<__I>::difference_type; };
template <class __I> struct iterator_pointer { using type = typename std::iterator_traits<__I>::pointer; };
template <class __I> struct iterator_reference { using type = typename std::iterator_traits<__I>::reference; };
template <class __I> struct iterator_system { using type = int; };
template <class __Self, class __V, class __R = __V> using cudalint_iterator = std::cudalint_place<__Self, __V, __R>;
template <class __T, class... __X> struct counting_iterator : cudalint_iterator<counting_iterator<__T, __X...>, __T> { __T cudalint_first; constexpr counting_iterator() : cudalint_first() {} constexpr explicit counting_iterator(__T v) : cudalint_first(v) {} constexpr __T at(ptrdiff_t i) const { return cudalint_first + (__T)i; } constexpr counting_iterator moved(ptrdiff_t i) const { return counting_iterator(at(i)); } };
template <class __T> constexpr counting_iterator<__T> make_counting_iterator(__T v) { return counting_iterator<__T>(v); }
template <class __T, class... __X> struct constant_iterator : cudalint_iterator<constant_iterator<__T, __X...>, __T> { __T cudalint_constant; constexpr constant_iterator() : cudalint_constant() {} constexpr constant_iterator(__T v, ptrdiff_t = 0) : cudalint_constant(v) {} constexpr __T at(ptrdiff_t) const { return cudalint_constant; } constexpr constant_iterator moved(ptrdiff_t) const { return *this; } };
template <class __T> constexpr constant_iterator<__T> make_constant_iterator(__T v, ptrdiff_t = 0) { return constant_iterator<__T>(v); }
struct cudalint_sink { template <class __T> const cudalint_sink &operator=(const __T &) const { return *this; } };
template <class __X = void> struct discard_iterator : cudalint_iterator<discard_iterator<__X>, cudalint_sink> { constexpr cudalint_sink at(ptrdiff_t) const { return {}; } constexpr discard_iterator moved(ptrdiff_t) const { return *this; } };
constexpr discard_iterator<> make_discard_iterator(ptrdiff_t = 0) { return {}; }
template <class __F, class __I, class... __X> struct transform_iterator : cudalint_iterator<transform_iterator<__F, __I, __X...>, std::remove_cvref_t<decltype(std::declval<__F &>()(*std::declval<__I &>()))>> { __I cudalint_base; __F cudalint_f; transform_iterator() = default; constexpr transform_iterator(__I i, __F f) : cudalint_base(i), cudalint_f(f) {} constexpr auto at(ptrdiff_t i) const { return const_cast<__F &>(cudalint_f)(cudalint_base[i]); } constexpr transform_iterator moved(ptrdiff_t i) const { return transform_iterator(cudalint_base + i, cudalint_f); } const __I &base() const { return cudalint_base; } };
template <class __F, class __I> constexpr transform_iterator<__F, __I> make_transform_iterator(__I i, __F f) { return transform_iterator<__F, __I>(i, f); }
template <class __E, class __I> struct permutation_iterator : cudalint_iterator<permutation_iterator<__E, __I>, typename std::iterator_traits<__E>::value_type, typename std::iterator_traits<__E>::reference> { __E cudalint_sources; __I cudalint_indices; permutation_iterator() = default; constexpr permutation_iterator(__E e, __I i) : cudalint_sources(e), cudalint_indices(i) {} constexpr typename std::iterator_traits<__E>::reference at(ptrdiff_t i) const { return cudalint_sources[cudalint_indices[i]]; } constexpr permutation_iterator moved(ptrdiff_t i) const { return permutation_iterator(cudalint_sources, cudalint_indices + i); } };
template <class __E, class __I> constexpr permutation_iterator<__E, __I> make_permutation_iterator(__E e, __I i) { return permutation_iterator<__E, __I>(e, i); }
template <class __T> struct zip_iterator;
template <class... __I> struct zip_iterator<tuple<__I...>> : cudalint_iterator<zip_iterator<tuple<__I...>>, tuple<typename std::iterator_traits<__I>::value_type...>, tuple<typename std::iterator_traits<__I>::reference...>> {
  tuple<__I...> cudalint_iterators;
  zip_iterator() = default;
  constexpr zip_iterator(tuple<__I...> t) : cudalint_iterators(t) {}
  template <size_t... __K> constexpr tuple<typename std::iterator_traits<__I>::reference...> cudalint_all(ptrdiff_t i, std::index_sequence<__K...>) const { return tuple<typename std::iterator_traits<__I>::reference...>(std::get<__K>(cudalint_iterators)[i]...); }
  template <size_t... __K> constexpr tuple<__I...> cudalint_moved(ptrdiff_t i, std::index_sequence<__K...>) const { return tuple<__I...>((std::get<__K>(cudalint_iterators) + i)...); }
  constexpr tuple<typename std::iterator_traits<__I>::reference...> at(ptrdiff_t i) const { return cudalint_all(i, std::make_index_sequence<sizeof...(__I)>()); }
  constexpr zip_iterator moved(ptrdiff_t i) const { return zip_iterator(cudalint_moved(i, std::make_index_sequence<sizeof...(__I)>())); }
  const tuple<__I...> &get_iterator_tuple() const { return cudalint_iterators; }
};
template <class... __I> zip_iterator<tuple<__I...>> make_zip_iterator(tuple<__I...> t) { return zip_iterator<tuple<__I...>>(t); }
template <class... __I> zip_iterator<tuple<__I...>> make_zip_iterator(__I... i) { return zip_iterator<tuple<__I...>>(tuple<__I...>(i...)); }
template <class __I> using reverse_iterator = std::reverse_iterator<__I>;
template <class __I> reverse_iterator<__I> make_reverse_iterator(__I i) { return reverse_iterator<__I>(i); }
template <class __F, class __I> struct transform_output_iterator : cudalint_iterator<transform_output_iterator<__F, __I>, cudalint_sink> { transform_output_iterator(__I, __F); cudalint_sink at(ptrdiff_t) const { return {}; } transform_output_iterator moved(ptrdiff_t) const { return *this; } };
template <class __F, class __I> transform_output_iterator<__F, __I> make_transform_output_iterator(__I i, __F f) { return transform_output_iterator<__F, __I>(i, f); }
namespace random {
template <class __T = int> struct uniform_int_distribution { using result_type = __T; uniform_int_distribution(__T = 0, __T = 0); template <class __G> __T operator()(__G &); };
template <class __T = double> struct uniform_real_distribution { using result_type = __T; uniform_real_distribution(__T = 0, __T = 1); template <class __G> __T operator()(__G &); };
template <class __T = double> struct normal_distribution { using result_type = __T; normal_distribution(__T = 0, __T = 1); template <class __G> __T operator()(__G &); };
using default_random_engine = std::minstd_rand; using std::minstd_rand; using std::minstd_rand0; using std::ranlux24; using std::ranlux48; using taus88 = std::minstd_rand;
}
using namespace random;
namespace system { using error_code = int; struct system_error : std::runtime_error { system_error(...); int code() const; }; }
using system::system_error;
struct cudalint_category {};
const cudalint_category &cuda_category();
namespace cuda_cub { template <class...> struct execute_on_stream_nosync_base {}; template <class...> struct execute_on_stream_base {}; }
namespace detail { template <class __A, template <class...> class __P> struct execute_with_allocator { template <class... __X> execute_with_allocator(const __X &...); }; using std::enable_if; using std::is_same; template <class __T> using remove_const = std::remove_const<__T>; }
}
#pragma clang force_cuda_host_device end
