// The arithmetic that random access iterators share: Self has `at(i)`, the value i places on, and `moved(i)`.
#pragma once
#pragma clang system_header
#include "std_iterator.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class __Self, class __V, class __R = __V> struct cudalint_place {
  using value_type = __V; using reference = __R; using pointer = __V *; using difference_type = ptrdiff_t;
  using iterator_category = random_access_iterator_tag;
  constexpr const __Self &self() const { return static_cast<const __Self &>(*this); }
  constexpr __R operator*() const { return self().at(0); }
  constexpr __R operator[](ptrdiff_t i) const { return self().at(i); }
  constexpr __Self operator+(ptrdiff_t n) const { return self().moved(n); }
  constexpr __Self operator-(ptrdiff_t n) const { return self().moved(-n); }
  __Self &operator++() { return static_cast<__Self &>(*this) = self().moved(1); }
  __Self operator++(int) { __Self old = self(); static_cast<__Self &>(*this) = self().moved(1); return old; }
  __Self &operator--() { return static_cast<__Self &>(*this) = self().moved(-1); }
  __Self operator--(int) { __Self old = self(); static_cast<__Self &>(*this) = self().moved(-1); return old; }
  __Self &operator+=(ptrdiff_t n) { return static_cast<__Self &>(*this) = self().moved(n); }
  __Self &operator-=(ptrdiff_t n) { return static_cast<__Self &>(*this) = self().moved(-n); }
  ptrdiff_t operator-(const __Self &) const;
  bool operator==(const __Self &) const;
  bool operator!=(const __Self &) const;
  bool operator<(const __Self &) const;
  bool operator>(const __Self &) const;
  bool operator<=(const __Self &) const;
  bool operator>=(const __Self &) const;
};
}
#pragma clang force_cuda_host_device end
