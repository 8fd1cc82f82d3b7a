#pragma once
#pragma clang system_header
#include "types.h"
extern "C" ssize_t sendfile(int, int, off_t *, size_t);
