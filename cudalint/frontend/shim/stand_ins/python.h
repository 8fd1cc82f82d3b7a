// Python's objects, and pybind11's, which kernels have no part in.
#pragma once
#pragma clang system_header
#include <cstddef>
#include <string>
#include <utility>
typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef long Py_ssize_t;
PyObject *PyErr_Occurred();
void Py_Initialize();
namespace pybind11 {
struct cudalint_handle {
  cudalint_handle();
  template <class T> cudalint_handle(const T &);
  template <class T> T cast() const;
  template <class K> cudalint_handle operator[](const K &) const;
  template <class K> bool contains(const K &) const;
  template <class... A> cudalint_handle operator()(A &&...) const;
  template <class... A> void append(A &&...) const;
  template <class N> cudalint_handle attr(const N &) const;
  template <class T> cudalint_handle &operator=(const T &);
  template <class... A> cudalint_handle &def(const char *, A &&...);
  bool is_none() const;
  size_t size() const;
  PyObject *ptr() const;
  cudalint_handle *begin() const;
  cudalint_handle *end() const;
  explicit operator bool() const;
};
typedef cudalint_handle handle, object, str, bytes, none, args, kwargs, slice, iterator, capsule, buffer, function, error_already_set, int_, float_, bool_, module_, module;
struct tuple : cudalint_handle { using cudalint_handle::cudalint_handle; };
struct list : cudalint_handle { using cudalint_handle::cudalint_handle; };
struct dict : cudalint_handle { using cudalint_handle::cudalint_handle; };
struct array : cudalint_handle { using cudalint_handle::cudalint_handle; enum { c_style = 1, forcecast = 2 }; };
template <class T, int flags = 0> struct array_t : array {
  using array::array;
  T *mutable_data(...);
  const T *data(...) const;
  template <class... A> T &operator()(A...);
  size_t ndim() const;
  size_t shape(size_t) const;
};
struct buffer_info { void *ptr; size_t itemsize, size, ndim; size_t *shape, *strides; std::string format; };
struct gil_scoped_release {};
struct gil_scoped_acquire {};
template <class T, class... O> struct class_ {
  template <class... A> class_(A &&...);
  template <class... A> class_ &def(A &&...);
  template <class... A> class_ &def_property(A &&...);
  template <class... A> class_ &def_property_readonly(A &&...);
  template <class... A> class_ &def_readwrite(A &&...);
  template <class... A> class_ &def_readonly(A &&...);
  template <class... A> class_ &def_static(A &&...);
  template <class... A> class_ &value(A &&...);
  class_ &export_values();
};
template <class T, class... O> using enum_ = class_<T, O...>;
template <class... A> struct init { template <class... B> init(B &&...); };
template <class T, class O> T cast(const O &);
template <class O> object cast(const O &);
template <class... A> tuple make_tuple(A &&...);
template <class T> bool isinstance(const cudalint_handle &);
size_t len(const cudalint_handle &);
template <class... A> void print(A &&...);
struct arg { explicit arg(const char *); template <class T> arg operator=(const T &) const; };
}
#ifndef PYBIND11_MODULE
#define PYBIND11_MODULE(name, m) static void __pybind_##name(pybind11::module_ &m)
#endif
