#pragma once
#pragma clang system_header
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#endif
#ifndef NULL
#define NULL __null
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef struct { long long ll __attribute__((aligned(8))); long double ld __attribute__((aligned(16))); } max_align_t;
#ifdef __cplusplus
namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::max_align_t;
typedef decltype(nullptr) nullptr_t;
#if __cplusplus >= 201703L
enum class byte : unsigned char {};
#endif
}
using std::nullptr_t;
#endif
