// Functions of complex numbers, for every class template that is named `complex`. With bodies, so that kernels that use
// them can be run.
#pragma once
#pragma clang system_header
#include "math.h"
#define CUDALINT_COMPLEX_FUNCTIONS \
  template <class __T> constexpr __T norm(const complex<__T> &z) { return z.real() * z.real() + z.imag() * z.imag(); } \
  template <class __T> constexpr complex<__T> conj(const complex<__T> &z) { return complex<__T>(z.real(), -z.imag()); } \
  template <class __T> __T abs(const complex<__T> &z) { return ::hypot(z.real(), z.imag()); } \
  template <class __T> __T arg(const complex<__T> &z) { return ::atan2(z.imag(), z.real()); } \
  template <class __T> complex<__T> polar(const __T &r, const std::type_identity_t<__T> &a = __T()) { return complex<__T>(r * ::cos(a), r * ::sin(a)); } \
  template <class __T> complex<__T> proj(const complex<__T> &z) { return z; } \
  template <class __T> complex<__T> exp(const complex<__T> &z) { return polar<__T>(::exp(z.real()), z.imag()); } \
  template <class __T> complex<__T> log(const complex<__T> &z) { return complex<__T>(::log(abs(z)), arg(z)); } \
  template <class __T> complex<__T> log10(const complex<__T> &z) { return log(z) / ::log(__T(10)); } \
  template <class __T> complex<__T> sqrt(const complex<__T> &z) { return polar<__T>(::sqrt(abs(z)), arg(z) / 2); } \
  template <class __T> complex<__T> pow(const complex<__T> &z, const complex<__T> &p) { return exp(log(z) * p); } \
  template <class __T> complex<__T> pow(const complex<__T> &z, const std::type_identity_t<__T> &p) { return polar<__T>(::pow(abs(z), p), arg(z) * p); } \
  template <class __T> complex<__T> pow(const std::type_identity_t<__T> &x, const complex<__T> &p) { return exp(p * ::log(x)); } \
  template <class __T> complex<__T> sin(const complex<__T> &z) { return complex<__T>(::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag())); } \
  template <class __T> complex<__T> cos(const complex<__T> &z) { return complex<__T>(::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag())); } \
  template <class __T> complex<__T> tan(const complex<__T> &z) { return sin(z) / cos(z); } \
  template <class __T> complex<__T> sinh(const complex<__T> &z) { return complex<__T>(::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag())); } \
  template <class __T> complex<__T> cosh(const complex<__T> &z) { return complex<__T>(::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag())); } \
  template <class __T> complex<__T> tanh(const complex<__T> &z) { return sinh(z) / cosh(z); } \
  template <class __T> complex<__T> asinh(const complex<__T> &z) { return log(z + sqrt(z * z + complex<__T>(1))); } \
  template <class __T> complex<__T> acosh(const complex<__T> &z) { return log(z + sqrt(z * z - complex<__T>(1))); } \
  template <class __T> complex<__T> atanh(const complex<__T> &z) { return (log(complex<__T>(1) + z) - log(complex<__T>(1) - z)) / __T(2); } \
  template <class __T> complex<__T> asin(const complex<__T> &z) { complex<__T> w = asinh(complex<__T>(-z.imag(), z.real())); return complex<__T>(w.imag(), -w.real()); } \
  template <class __T> complex<__T> acos(const complex<__T> &z) { complex<__T> w = asin(z); return complex<__T>(__T(1.57079632679489661923) - w.real(), -w.imag()); } \
  template <class __T> complex<__T> atan(const complex<__T> &z) { complex<__T> w = atanh(complex<__T>(-z.imag(), z.real())); return complex<__T>(w.imag(), -w.real()); }
