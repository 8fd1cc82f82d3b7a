#pragma once
#pragma clang system_header
#include "types.h"
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
struct statvfs { unsigned long f_bsize, f_frsize; fsblkcnt_t f_blocks, f_bfree, f_bavail; fsfilcnt_t f_files, f_ffree, f_favail; unsigned long f_fsid, f_flag, f_namemax; int reserved[6]; };
extern "C" { int statvfs(const char *, struct statvfs *); int fstatvfs(int, struct statvfs *); }
