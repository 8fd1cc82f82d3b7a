#pragma once
#pragma clang system_header
#include "../stdint.h"
typedef uint64_t eventfd_t;
#define EFD_SEMAPHORE 1
#define EFD_NONBLOCK 04000
#define EFD_CLOEXEC 02000000
extern "C" { int eventfd(unsigned int, int); int eventfd_read(int, eventfd_t *); int eventfd_write(int, eventfd_t); }
