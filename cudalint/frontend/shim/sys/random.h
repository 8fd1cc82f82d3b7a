#pragma once
#pragma clang system_header
#include "types.h"
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
extern "C" { ssize_t getrandom(void *, size_t, unsigned int); int getentropy(void *, size_t); }
