// Where a program stands, which nobody asks in a kernel.
#pragma once
#pragma clang system_header
#include <ostream>
#include <string>
#include <vector>
namespace boost { namespace stacktrace {
struct frame { std::string name() const; std::string source_file() const; size_t source_line() const; const void *address() const; bool empty() const; };
struct stacktrace {
  stacktrace();
  stacktrace(size_t, size_t);
  size_t size() const;
  const frame &operator[](size_t) const;
  const frame *begin() const;
  const frame *end() const;
  explicit operator bool() const;
};
std::ostream &operator<<(std::ostream &, const stacktrace &);
std::string to_string(const stacktrace &);
} }
