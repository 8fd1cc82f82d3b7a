// <type_traits>, <limits>' companions and integer sequences. Real: templates in user code branch on them.
#pragma once
#pragma clang system_header
#include "../stddef.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class T, T V> struct integral_constant {
  static constexpr T value = V;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const noexcept { return V; }
  constexpr T operator()() const noexcept { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { using type = T; };
template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class...> using void_t = void;
template <class T> struct type_identity { using type = T; };
template <class T> using type_identity_t = typename type_identity<T>::type;

template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv { using type = typename remove_const<typename remove_volatile<T>::type>::type; };
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T &> { using type = T; };
template <class T> struct remove_reference<T &&> { using type = T; };
template <class T> struct remove_cvref { using type = typename remove_cv<typename remove_reference<T>::type>::type; };
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T *> { using type = T; };
template <class T> struct remove_pointer<T *const> { using type = T; };
template <class T> struct remove_pointer<T *volatile> { using type = T; };
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, size_t N> struct remove_extent<T[N]> { using type = T; };
template <class T> struct remove_all_extents { using type = T; };
template <class T> struct remove_all_extents<T[]> { using type = typename remove_all_extents<T>::type; };
template <class T, size_t N> struct remove_all_extents<T[N]> { using type = typename remove_all_extents<T>::type; };
template <class T> struct add_const { using type = const T; };
template <class T> struct add_volatile { using type = volatile T; };
template <class T> struct add_cv { using type = const volatile T; };
template <class T> struct add_pointer { using type = typename remove_reference<T>::type *; };
template <class T> auto cudalint_lref(int) -> type_identity<T &>;
template <class T> auto cudalint_lref(...) -> type_identity<T>;
template <class T> auto cudalint_rref(int) -> type_identity<T &&>;
template <class T> auto cudalint_rref(...) -> type_identity<T>;
template <class T> struct add_lvalue_reference { using type = typename decltype(cudalint_lref<T>(0))::type; };
template <class T> struct add_rvalue_reference { using type = typename decltype(cudalint_rref<T>(0))::type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <class T> using add_const_t = const T;
template <class T> using add_volatile_t = volatile T;
template <class T> using add_cv_t = const volatile T;
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T> typename add_rvalue_reference<T>::type declval() noexcept;

#define CUDALINT_TRAIT(name, ...) \
  template <class T> struct name : bool_constant<__VA_ARGS__> {}; \
  template <class T> constexpr bool name##_v = name<T>::value;
#define CUDALINT_TRAIT2(name, ...) \
  template <class T, class U> struct name : bool_constant<__VA_ARGS__> {}; \
  template <class T, class U> constexpr bool name##_v = name<T, U>::value;
CUDALINT_TRAIT(is_void, __is_void(T))
CUDALINT_TRAIT(is_null_pointer, __is_same(__remove_cv(T), decltype(nullptr)))
CUDALINT_TRAIT(is_integral, __is_integral(T))
CUDALINT_TRAIT(is_floating_point, __is_floating_point(T))
CUDALINT_TRAIT(is_array, __is_array(T))
CUDALINT_TRAIT(is_pointer, __is_pointer(T))
CUDALINT_TRAIT(is_reference, __is_reference(T))
CUDALINT_TRAIT(is_lvalue_reference, __is_lvalue_reference(T))
CUDALINT_TRAIT(is_rvalue_reference, __is_rvalue_reference(T))
CUDALINT_TRAIT(is_member_pointer, __is_member_pointer(T))
CUDALINT_TRAIT(is_member_object_pointer, __is_member_object_pointer(T))
CUDALINT_TRAIT(is_member_function_pointer, __is_member_function_pointer(T))
CUDALINT_TRAIT(is_enum, __is_enum(T))
CUDALINT_TRAIT(is_union, __is_union(T))
CUDALINT_TRAIT(is_class, __is_class(T))
CUDALINT_TRAIT(is_function, __is_function(T))
CUDALINT_TRAIT(is_arithmetic, __is_arithmetic(T))
CUDALINT_TRAIT(is_fundamental, __is_fundamental(T))
CUDALINT_TRAIT(is_object, __is_object(T))
CUDALINT_TRAIT(is_scalar, __is_scalar(T))
CUDALINT_TRAIT(is_compound, __is_compound(T))
CUDALINT_TRAIT(is_const, __is_const(T))
CUDALINT_TRAIT(is_volatile, __is_volatile(T))
CUDALINT_TRAIT(is_trivial, __is_trivial(T))
CUDALINT_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
CUDALINT_TRAIT(is_standard_layout, __is_standard_layout(T))
CUDALINT_TRAIT(is_pod, __is_pod(T))
CUDALINT_TRAIT(is_literal_type, __is_literal_type(T))
CUDALINT_TRAIT(is_empty, __is_empty(T))
CUDALINT_TRAIT(is_polymorphic, __is_polymorphic(T))
CUDALINT_TRAIT(is_abstract, __is_abstract(T))
CUDALINT_TRAIT(is_final, __is_final(T))
CUDALINT_TRAIT(is_aggregate, __is_aggregate(T))
CUDALINT_TRAIT(is_signed, __is_signed(T))
CUDALINT_TRAIT(is_unsigned, __is_unsigned(T))
CUDALINT_TRAIT(is_default_constructible, __is_constructible(T))
CUDALINT_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T))
CUDALINT_TRAIT(is_nothrow_default_constructible, __is_nothrow_constructible(T))
CUDALINT_TRAIT(is_copy_constructible, __is_constructible(T, add_lvalue_reference_t<const T>))
CUDALINT_TRAIT(is_trivially_copy_constructible, __is_trivially_constructible(T, add_lvalue_reference_t<const T>))
CUDALINT_TRAIT(is_nothrow_copy_constructible, __is_nothrow_constructible(T, add_lvalue_reference_t<const T>))
CUDALINT_TRAIT(is_move_constructible, __is_constructible(T, add_rvalue_reference_t<T>))
CUDALINT_TRAIT(is_trivially_move_constructible, __is_trivially_constructible(T, add_rvalue_reference_t<T>))
CUDALINT_TRAIT(is_nothrow_move_constructible, __is_nothrow_constructible(T, add_rvalue_reference_t<T>))
CUDALINT_TRAIT(is_copy_assignable, __is_assignable(add_lvalue_reference_t<T>, add_lvalue_reference_t<const T>))
CUDALINT_TRAIT(is_trivially_copy_assignable, __is_trivially_assignable(add_lvalue_reference_t<T>, add_lvalue_reference_t<const T>))
CUDALINT_TRAIT(is_nothrow_copy_assignable, __is_nothrow_assignable(add_lvalue_reference_t<T>, add_lvalue_reference_t<const T>))
CUDALINT_TRAIT(is_move_assignable, __is_assignable(add_lvalue_reference_t<T>, add_rvalue_reference_t<T>))
CUDALINT_TRAIT(is_trivially_move_assignable, __is_trivially_assignable(add_lvalue_reference_t<T>, add_rvalue_reference_t<T>))
CUDALINT_TRAIT(is_nothrow_move_assignable, __is_nothrow_assignable(add_lvalue_reference_t<T>, add_rvalue_reference_t<T>))
CUDALINT_TRAIT(is_destructible, __is_destructible(T))
CUDALINT_TRAIT(is_nothrow_destructible, __is_nothrow_destructible(T))
CUDALINT_TRAIT(is_trivially_destructible, __is_trivially_destructible(T))
CUDALINT_TRAIT(has_virtual_destructor, __has_virtual_destructor(T))
CUDALINT_TRAIT(has_unique_object_representations, __has_unique_object_representations(T))
CUDALINT_TRAIT(is_swappable, true)
CUDALINT_TRAIT(is_nothrow_swappable, true)
CUDALINT_TRAIT2(is_same, __is_same(T, U))
CUDALINT_TRAIT2(is_base_of, __is_base_of(T, U))
CUDALINT_TRAIT2(is_convertible, __is_convertible_to(T, U))
CUDALINT_TRAIT2(is_nothrow_convertible, __is_convertible_to(T, U))
CUDALINT_TRAIT2(is_assignable, __is_assignable(T, U))
CUDALINT_TRAIT2(is_trivially_assignable, __is_trivially_assignable(T, U))
CUDALINT_TRAIT2(is_nothrow_assignable, __is_nothrow_assignable(T, U))
#undef CUDALINT_TRAIT
#undef CUDALINT_TRAIT2
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A> struct is_trivially_constructible : bool_constant<__is_trivially_constructible(T, A...)> {};
template <class T, class... A> struct is_nothrow_constructible : bool_constant<__is_nothrow_constructible(T, A...)> {};
template <class T, class... A> constexpr bool is_constructible_v = __is_constructible(T, A...);
template <class T, class... A> constexpr bool is_trivially_constructible_v = __is_trivially_constructible(T, A...);
template <class T, class... A> constexpr bool is_nothrow_constructible_v = __is_nothrow_constructible(T, A...);
template <class T> struct rank : integral_constant<size_t, __array_rank(T)> {};
template <class T, unsigned I = 0> struct extent : integral_constant<size_t, __array_extent(T, I)> {};
template <class T> constexpr size_t rank_v = rank<T>::value;
template <class T, unsigned I = 0> constexpr size_t extent_v = extent<T, I>::value;
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> constexpr size_t alignment_of_v = alignof(T);
template <size_t S, size_t A = 16> struct aligned_storage { struct type { alignas(A) unsigned char bytes[S]; }; };
template <size_t S, size_t A = 16> using aligned_storage_t = typename aligned_storage<S, A>::type;
template <class T, bool = __is_enum(T)> struct underlying_type {};
template <class T> struct underlying_type<T, true> { using type = __underlying_type(T); };
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> struct make_signed { using type = __make_signed(T); };
template <class T> struct make_unsigned { using type = __make_unsigned(T); };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> struct decay { using type = __decay(T); };
template <class T> using decay_t = __decay(T);

template <class... T> struct common_type {};
template <class T> struct common_type<T> { using type = __decay(T); };
template <class T, class U> auto cudalint_common(int) -> type_identity<__decay(decltype(true ? declval<T>() : declval<U>()))>;
struct cudalint_no_type {};
template <class T, class U> auto cudalint_common(...) -> cudalint_no_type;
template <class T, class U> struct common_type<T, U> : decltype(cudalint_common<T, U>(0)) {};
template <class T, class U, class V, class... R>
struct common_type<T, U, V, R...> : common_type<typename common_type<T, U>::type, V, R...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;

template <class... T> struct conjunction : true_type {};
template <class T> struct conjunction<T> : T {};
template <class T, class... R> struct conjunction<T, R...> : conditional_t<bool(T::value), conjunction<R...>, T> {};
template <class... T> struct disjunction : false_type {};
template <class T> struct disjunction<T> : T {};
template <class T, class... R> struct disjunction<T, R...> : conditional_t<bool(T::value), T, disjunction<R...>> {};
template <class T> struct negation : bool_constant<!bool(T::value)> {};
template <class... T> constexpr bool conjunction_v = conjunction<T...>::value;
template <class... T> constexpr bool disjunction_v = disjunction<T...>::value;
template <class T> constexpr bool negation_v = negation<T>::value;

template <class F, class... A> auto cudalint_invoke_type(int) -> type_identity<decltype(declval<F>()(declval<A>()...))>;
template <class F, class O, class... A>
auto cudalint_invoke_type(long) -> type_identity<decltype((declval<O>().*declval<F>())(declval<A>()...))>;
template <class F, class... A> auto cudalint_invoke_type(...) -> cudalint_no_type;
template <class F, class... A> struct invoke_result : decltype(cudalint_invoke_type<F, A...>(0)) {};
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class F> struct result_of;
template <class F, class... A> struct result_of<F(A...)> : invoke_result<F, A...> {};
template <class F> using result_of_t = typename result_of<F>::type;
template <class F, class... A>
struct is_invocable : bool_constant<!__is_same(decltype(cudalint_invoke_type<F, A...>(0)), cudalint_no_type)> {};
template <class F, class... A> constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class R, class F, class... A> struct is_invocable_r : is_invocable<F, A...> {};
template <class R, class F, class... A> constexpr bool is_invocable_r_v = is_invocable<F, A...>::value;

constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

template <class T, T... I> struct integer_sequence {
  using value_type = T;
  static constexpr size_t size() noexcept { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <class T, T N> using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
}
#pragma clang force_cuda_host_device end
