#pragma once
#pragma clang system_header
#include "types.h"
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON 0x20
#define MAP_HUGETLB 0x40000
#define MAP_POPULATE 0x8000
#define MAP_NORESERVE 0x4000
#define MAP_LOCKED 0x2000
#define MAP_FAILED ((void *)-1)
#define MADV_HUGEPAGE 14
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MS_SYNC 4
extern "C" { void *mmap(void *, size_t, int, int, int, off_t); int munmap(void *, size_t); int mprotect(void *, size_t, int); int madvise(void *, size_t, int); int mlock(const void *, size_t); int munlock(const void *, size_t); int msync(void *, size_t, int); int shm_open(const char *, int, mode_t); int shm_unlink(const char *); }
