#pragma once
#pragma clang system_header
#include "stddef.h"
extern "C" { int numa_available(void); int numa_max_node(void); void *numa_alloc_onnode(size_t, int); void numa_free(void *, size_t); int numa_run_on_node(int); }
