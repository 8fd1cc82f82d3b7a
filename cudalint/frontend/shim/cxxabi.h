#pragma once
#pragma clang system_header
#include "stddef.h"
namespace abi { extern "C" char *__cxa_demangle(const char *, char *, size_t *, int *); }
namespace __cxxabiv1 = abi;
