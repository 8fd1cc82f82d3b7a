#pragma once
#pragma clang system_header
#include "stdlib.h"
struct mallinfo { int arena, ordblks, hblkhd, uordblks, fordblks; };
extern "C" { struct mallinfo mallinfo(void); int malloc_trim(size_t); size_t malloc_usable_size(void *); }
