#pragma once
#pragma clang system_header
#include "types.h"
struct statfs { long f_type, f_bsize; unsigned long f_blocks, f_bfree, f_bavail, f_files, f_ffree; struct { int val[2]; } f_fsid; long f_namelen, f_frsize, f_flags, reserved[4]; };
extern "C" { int statfs(const char *, struct statfs *); int fstatfs(int, struct statfs *); }
