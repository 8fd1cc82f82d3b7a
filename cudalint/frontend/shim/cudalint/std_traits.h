// <type_traits>, <limits>' companions and integer sequences. Real: templates in user code branch on them.
#pragma once
#pragma clang system_header
#include "../stddef.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class __T, __T __V> struct integral_constant {
  static constexpr __T value = __V;
  using value_type = __T;
  using type = integral_constant;
  constexpr operator __T() const noexcept { return __V; }
  constexpr __T operator()() const noexcept { return __V; }
};
template <bool __B> using bool_constant = integral_constant<bool, __B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <bool __B, class __T = void> struct enable_if {};
template <class __T> struct enable_if<true, __T> { using type = __T; };
template <bool __B, class __T = void> using enable_if_t = typename enable_if<__B, __T>::type;
template <bool __B, class __T, class __F> struct conditional { using type = __T; };
template <class __T, class __F> struct conditional<false, __T, __F> { using type = __F; };
template <bool __B, class __T, class __F> using conditional_t = typename conditional<__B, __T, __F>::type;
template <class...> using void_t = void;
template <class __T> struct type_identity { using type = __T; };
template <class __T> using type_identity_t = typename type_identity<__T>::type;

template <class __T> struct remove_const { using type = __T; };
template <class __T> struct remove_const<const __T> { using type = __T; };
template <class __T> struct remove_volatile { using type = __T; };
template <class __T> struct remove_volatile<volatile __T> { using type = __T; };
template <class __T> struct remove_cv { using type = typename remove_const<typename remove_volatile<__T>::type>::type; };
template <class __T> struct remove_reference { using type = __T; };
template <class __T> struct remove_reference<__T &> { using type = __T; };
template <class __T> struct remove_reference<__T &&> { using type = __T; };
template <class __T> struct remove_cvref { using type = typename remove_cv<typename remove_reference<__T>::type>::type; };
template <class __T> struct remove_pointer { using type = __T; };
template <class __T> struct remove_pointer<__T *> { using type = __T; };
template <class __T> struct remove_pointer<__T *const> { using type = __T; };
template <class __T> struct remove_pointer<__T *volatile> { using type = __T; };
template <class __T> struct remove_extent { using type = __T; };
template <class __T> struct remove_extent<__T[]> { using type = __T; };
template <class __T, size_t __N> struct remove_extent<__T[__N]> { using type = __T; };
template <class __T> struct remove_all_extents { using type = __T; };
template <class __T> struct remove_all_extents<__T[]> { using type = typename remove_all_extents<__T>::type; };
template <class __T, size_t __N> struct remove_all_extents<__T[__N]> { using type = typename remove_all_extents<__T>::type; };
template <class __T> struct add_const { using type = const __T; };
template <class __T> struct add_volatile { using type = volatile __T; };
template <class __T> struct add_cv { using type = const volatile __T; };
template <class __T> struct add_pointer { using type = typename remove_reference<__T>::type *; };
template <class __T> auto cudalint_lref(int) -> type_identity<__T &>;
template <class __T> auto cudalint_lref(...) -> type_identity<__T>;
template <class __T> auto cudalint_rref(int) -> type_identity<__T &&>;
template <class __T> auto cudalint_rref(...) -> type_identity<__T>;
template <class __T> struct add_lvalue_reference { using type = typename decltype(cudalint_lref<__T>(0))::type; };
template <class __T> struct add_rvalue_reference { using type = typename decltype(cudalint_rref<__T>(0))::type; };
template <class __T> using remove_const_t = typename remove_const<__T>::type;
template <class __T> using remove_volatile_t = typename remove_volatile<__T>::type;
template <class __T> using remove_cv_t = typename remove_cv<__T>::type;
template <class __T> using remove_reference_t = typename remove_reference<__T>::type;
template <class __T> using remove_cvref_t = typename remove_cvref<__T>::type;
template <class __T> using remove_pointer_t = typename remove_pointer<__T>::type;
template <class __T> using remove_extent_t = typename remove_extent<__T>::type;
template <class __T> using remove_all_extents_t = typename remove_all_extents<__T>::type;
template <class __T> using add_const_t = const __T;
template <class __T> using add_volatile_t = volatile __T;
template <class __T> using add_cv_t = const volatile __T;
template <class __T> using add_pointer_t = typename add_pointer<__T>::type;
template <class __T> using add_lvalue_reference_t = typename add_lvalue_reference<__T>::type;
template <class __T> using add_rvalue_reference_t = typename add_rvalue_reference<__T>::type;
template <class __T> typename add_rvalue_reference<__T>::type declval() noexcept;

#define CUDALINT_TRAIT(name, ...) \
  template <class __T> struct name : bool_constant<__VA_ARGS__> {}; \
  template <class __T> constexpr bool name##_v = name<__T>::value;
#define CUDALINT_TRAIT2(name, ...) \
  template <class __T, class __U> struct name : bool_constant<__VA_ARGS__> {}; \
  template <class __T, class __U> constexpr bool name##_v = name<__T, __U>::value;
CUDALINT_TRAIT(is_void, __is_void(__T))
CUDALINT_TRAIT(is_null_pointer, __is_same(__remove_cv(__T), decltype(nullptr)))
CUDALINT_TRAIT(is_integral, __is_integral(__T))
CUDALINT_TRAIT(is_floating_point, __is_floating_point(__T))
CUDALINT_TRAIT(is_array, __is_array(__T))
CUDALINT_TRAIT(is_pointer, __is_pointer(__T))
CUDALINT_TRAIT(is_reference, __is_reference(__T))
CUDALINT_TRAIT(is_lvalue_reference, __is_lvalue_reference(__T))
CUDALINT_TRAIT(is_rvalue_reference, __is_rvalue_reference(__T))
CUDALINT_TRAIT(is_member_pointer, __is_member_pointer(__T))
CUDALINT_TRAIT(is_member_object_pointer, __is_member_object_pointer(__T))
CUDALINT_TRAIT(is_member_function_pointer, __is_member_function_pointer(__T))
CUDALINT_TRAIT(is_enum, __is_enum(__T))
CUDALINT_TRAIT(is_union, __is_union(__T))
CUDALINT_TRAIT(is_class, __is_class(__T))
CUDALINT_TRAIT(is_function, __is_function(__T))
CUDALINT_TRAIT(is_arithmetic, __is_arithmetic(__T))
CUDALINT_TRAIT(is_fundamental, __is_fundamental(__T))
CUDALINT_TRAIT(is_object, __is_object(__T))
CUDALINT_TRAIT(is_scalar, __is_scalar(__T))
CUDALINT_TRAIT(is_compound, __is_compound(__T))
CUDALINT_TRAIT(is_const, __is_const(__T))
CUDALINT_TRAIT(is_volatile, __is_volatile(__T))
CUDALINT_TRAIT(is_trivial, __is_trivial(__T))
CUDALINT_TRAIT(is_trivially_copyable, __is_trivially_copyable(__T))
CUDALINT_TRAIT(is_standard_layout, __is_standard_layout(__T))
CUDALINT_TRAIT(is_pod, __is_pod(__T))
CUDALINT_TRAIT(is_literal_type, __is_literal_type(__T))
CUDALINT_TRAIT(is_empty, __is_empty(__T))
CUDALINT_TRAIT(is_polymorphic, __is_polymorphic(__T))
CUDALINT_TRAIT(is_abstract, __is_abstract(__T))
CUDALINT_TRAIT(is_final, __is_final(__T))
CUDALINT_TRAIT(is_aggregate, __is_aggregate(__T))
CUDALINT_TRAIT(is_signed, __is_signed(__T))
CUDALINT_TRAIT(is_unsigned, __is_unsigned(__T))
CUDALINT_TRAIT(is_default_constructible, __is_constructible(__T))
CUDALINT_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(__T))
CUDALINT_TRAIT(is_nothrow_default_constructible, __is_nothrow_constructible(__T))
CUDALINT_TRAIT(is_copy_constructible, __is_constructible(__T, add_lvalue_reference_t<const __T>))
CUDALINT_TRAIT(is_trivially_copy_constructible, __is_trivially_constructible(__T, add_lvalue_reference_t<const __T>))
CUDALINT_TRAIT(is_nothrow_copy_constructible, __is_nothrow_constructible(__T, add_lvalue_reference_t<const __T>))
CUDALINT_TRAIT(is_move_constructible, __is_constructible(__T, add_rvalue_reference_t<__T>))
CUDALINT_TRAIT(is_trivially_move_constructible, __is_trivially_constructible(__T, add_rvalue_reference_t<__T>))
CUDALINT_TRAIT(is_nothrow_move_constructible, __is_nothrow_constructible(__T, add_rvalue_reference_t<__T>))
CUDALINT_TRAIT(is_copy_assignable, __is_assignable(add_lvalue_reference_t<__T>, add_lvalue_reference_t<const __T>))
CUDALINT_TRAIT(is_trivially_copy_assignable, __is_trivially_assignable(add_lvalue_reference_t<__T>, add_lvalue_reference_t<const __T>))
CUDALINT_TRAIT(is_nothrow_copy_assignable, __is_nothrow_assignable(add_lvalue_reference_t<__T>, add_lvalue_reference_t<const __T>))
CUDALINT_TRAIT(is_move_assignable, __is_assignable(add_lvalue_reference_t<__T>, add_rvalue_reference_t<__T>))
CUDALINT_TRAIT(is_trivially_move_assignable, __is_trivially_assignable(add_lvalue_reference_t<__T>, add_rvalue_reference_t<__T>))
CUDALINT_TRAIT(is_nothrow_move_assignable, __is_nothrow_assignable(add_lvalue_reference_t<__T>, add_rvalue_reference_t<__T>))
CUDALINT_TRAIT(is_destructible, __is_destructible(__T))
CUDALINT_TRAIT(is_nothrow_destructible, __is_nothrow_destructible(__T))
CUDALINT_TRAIT(is_trivially_destructible, __is_trivially_destructible(__T))
CUDALINT_TRAIT(has_virtual_destructor, __has_virtual_destructor(__T))
CUDALINT_TRAIT(has_unique_object_representations, __has_unique_object_representations(__T))
CUDALINT_TRAIT(is_swappable, true)
CUDALINT_TRAIT(is_nothrow_swappable, true)
CUDALINT_TRAIT2(is_same, __is_same(__T, __U))
CUDALINT_TRAIT2(is_base_of, __is_base_of(__T, __U))
CUDALINT_TRAIT2(is_convertible, __is_convertible_to(__T, __U))
CUDALINT_TRAIT2(is_nothrow_convertible, __is_convertible_to(__T, __U))
CUDALINT_TRAIT2(is_assignable, __is_assignable(__T, __U))
CUDALINT_TRAIT2(is_trivially_assignable, __is_trivially_assignable(__T, __U))
CUDALINT_TRAIT2(is_nothrow_assignable, __is_nothrow_assignable(__T, __U))
#undef CUDALINT_TRAIT
#undef CUDALINT_TRAIT2
template <class __T, class... __A> struct is_constructible : bool_constant<__is_constructible(__T, __A...)> {};
template <class __T, class... __A> struct is_trivially_constructible : bool_constant<__is_trivially_constructible(__T, __A...)> {};
template <class __T, class... __A> struct is_nothrow_constructible : bool_constant<__is_nothrow_constructible(__T, __A...)> {};
template <class __T, class... __A> constexpr bool is_constructible_v = __is_constructible(__T, __A...);
template <class __T, class... __A> constexpr bool is_trivially_constructible_v = __is_trivially_constructible(__T, __A...);
template <class __T, class... __A> constexpr bool is_nothrow_constructible_v = __is_nothrow_constructible(__T, __A...);
template <class __T> struct rank : integral_constant<size_t, __array_rank(__T)> {};
template <class __T, unsigned __I = 0> struct extent : integral_constant<size_t, __array_extent(__T, __I)> {};
template <class __T> constexpr size_t rank_v = rank<__T>::value;
template <class __T, unsigned __I = 0> constexpr size_t extent_v = extent<__T, __I>::value;
template <class __T> struct alignment_of : integral_constant<size_t, alignof(__T)> {};
template <class __T> constexpr size_t alignment_of_v = alignof(__T);
template <size_t __S, size_t __A = 16> struct aligned_storage { struct type { alignas(__A) unsigned char bytes[__S]; }; };
template <size_t __S, size_t __A = 16> using aligned_storage_t = typename aligned_storage<__S, __A>::type;
template <class __T, bool = __is_enum(__T)> struct underlying_type {};
template <class __T> struct underlying_type<__T, true> { using type = __underlying_type(__T); };
template <class __T> using underlying_type_t = typename underlying_type<__T>::type;
template <class __T> struct make_signed { using type = __make_signed(__T); };
template <class __T> struct make_unsigned { using type = __make_unsigned(__T); };
template <class __T> using make_signed_t = typename make_signed<__T>::type;
template <class __T> using make_unsigned_t = typename make_unsigned<__T>::type;
template <class __T> struct decay { using type = __decay(__T); };
template <class __T> using decay_t = __decay(__T);

template <class... __T> struct common_type {};
template <class __T> struct common_type<__T> { using type = __decay(__T); };
template <class __T, class __U> auto cudalint_common(int) -> type_identity<__decay(decltype(true ? declval<__T>() : declval<__U>()))>;
struct cudalint_no_type {};
template <class __T, class __U> auto cudalint_common(...) -> cudalint_no_type;
template <class __T, class __U> struct common_type<__T, __U> : decltype(cudalint_common<__T, __U>(0)) {};
template <class __T, class __U, class __V, class... __R>
struct common_type<__T, __U, __V, __R...> : common_type<typename common_type<__T, __U>::type, __V, __R...> {};
template <class... __T> using common_type_t = typename common_type<__T...>::type;

template <class... __T> struct conjunction : true_type {};
template <class __T> struct conjunction<__T> : __T {};
template <class __T, class... __R> struct conjunction<__T, __R...> : conditional_t<bool(__T::value), conjunction<__R...>, __T> {};
template <class... __T> struct disjunction : false_type {};
template <class __T> struct disjunction<__T> : __T {};
template <class __T, class... __R> struct disjunction<__T, __R...> : conditional_t<bool(__T::value), __T, disjunction<__R...>> {};
template <class __T> struct negation : bool_constant<!bool(__T::value)> {};
template <class... __T> constexpr bool conjunction_v = conjunction<__T...>::value;
template <class... __T> constexpr bool disjunction_v = disjunction<__T...>::value;
template <class __T> constexpr bool negation_v = negation<__T>::value;

template <class __F, class... __A> auto cudalint_invoke_type(int) -> type_identity<decltype(declval<__F>()(declval<__A>()...))>;
template <class __F, class __O, class... __A>
auto cudalint_invoke_type(long) -> type_identity<decltype((declval<__O>().*declval<__F>())(declval<__A>()...))>;
template <class __F, class __O, class... __A>
auto cudalint_invoke_type(long) -> type_identity<decltype((declval<__O>()->*declval<__F>())(declval<__A>()...))>;
template <class __F, class... __A> auto cudalint_invoke_type(...) -> cudalint_no_type;
template <class __F, class... __A> struct invoke_result : decltype(cudalint_invoke_type<__F, __A...>(0)) {};
template <class __F, class... __A> using invoke_result_t = typename invoke_result<__F, __A...>::type;
template <class __F> struct result_of;
template <class __F, class... __A> struct result_of<__F(__A...)> : invoke_result<__F, __A...> {};
template <class __F> using result_of_t = typename result_of<__F>::type;
template <class __F, class... __A>
struct is_invocable : bool_constant<!__is_same(decltype(cudalint_invoke_type<__F, __A...>(0)), cudalint_no_type)> {};
template <class __F, class... __A> constexpr bool is_invocable_v = is_invocable<__F, __A...>::value;
template <class __R, class __F, class... __A> struct cudalint_invocable_r : bool_constant<is_void_v<__R> || is_convertible_v<typename invoke_result<__F, __A...>::type, __R>> {};
template <class __R, class __F, class... __A> struct is_invocable_r : conditional_t<is_invocable<__F, __A...>::value, cudalint_invocable_r<__R, __F, __A...>, false_type> {};
template <class __R, class __F, class... __A> constexpr bool is_invocable_r_v = is_invocable_r<__R, __F, __A...>::value;

constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

template <class __T, __T... __I> struct integer_sequence {
  using value_type = __T;
  static constexpr size_t size() noexcept { return sizeof...(__I); }
};
template <size_t... __I> using index_sequence = integer_sequence<size_t, __I...>;
template <class __T, __T __N> using make_integer_sequence = __make_integer_seq<integer_sequence, __T, __N>;
template <size_t __N> using make_index_sequence = make_integer_sequence<size_t, __N>;
template <class... __T> using index_sequence_for = make_index_sequence<sizeof...(__T)>;
}
#pragma clang force_cuda_host_device end
