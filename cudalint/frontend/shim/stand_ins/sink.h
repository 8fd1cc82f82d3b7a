// What messages are streamed into, and the conditions that macros of assertions take.
#pragma once
#pragma clang system_header
#include <ostream>
#include <string>
struct __cudalint_sink {
  template <class T> const __cudalint_sink &operator<<(const T &) const { return *this; }
  const __cudalint_sink &operator<<(std::ostream &(*)(std::ostream &)) const { return *this; }
};
// `return end = sink << "why"`, of a function without a value.
struct __cudalint_end {
  void operator=(const __cudalint_sink &) const {}
};
#define CUDALINT_CHECKED(condition) ((condition) ? (void)0 : __builtin_trap()), __cudalint_sink()
#define CUDALINT_EXPECTED(...) (void)(__VA_ARGS__), __cudalint_sink()
