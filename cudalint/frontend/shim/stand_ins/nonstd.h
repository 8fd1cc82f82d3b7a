// Martin Moene's classes of the standard library to come, which are those of the standard library.
#pragma once
#pragma clang system_header
#include <any>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
namespace nonstd {
using std::any; using std::any_cast;
using std::get; using std::get_if; using std::holds_alternative; using std::variant; using std::visit;
using std::make_optional; using std::nullopt; using std::optional;
using std::span;
using std::string_view;
}
