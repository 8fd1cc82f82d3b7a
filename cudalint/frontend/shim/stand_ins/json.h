// A JSON value of the host.
#pragma once
#pragma clang system_header
#include <initializer_list>
#include <string>
namespace nlohmann {
class basic_json_value {
public:
  basic_json_value();
  template <class T> basic_json_value(const T &);
  basic_json_value(std::initializer_list<basic_json_value>);
  template <class T> operator T() const;
  template <class T> T get() const;
  template <class K> basic_json_value &operator[](const K &);
  template <class K> const basic_json_value &operator[](const K &) const;
  template <class K> const basic_json_value &at(const K &) const;
  template <class K, class T> T value(const K &, const T &) const;
  template <class K> bool contains(const K &) const;
  template <class T> void push_back(const T &);
  template <class T> static basic_json_value parse(const T &);
  basic_json_value *begin() const;
  basic_json_value *end() const;
  size_t size() const;
  bool empty() const;
  bool is_array() const;
  bool is_object() const;
  bool is_string() const;
  bool is_number() const;
  bool is_null() const;
  std::string dump(int = -1) const;
};
typedef basic_json_value json;
typedef basic_json_value ordered_json;
}
