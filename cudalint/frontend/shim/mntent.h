#pragma once
#pragma clang system_header
#include "stdio.h"
struct mntent { char *mnt_fsname, *mnt_dir, *mnt_type, *mnt_opts; int mnt_freq, mnt_passno; };
#define MOUNTED "/etc/mtab"
extern "C" { FILE *setmntent(const char *, const char *); struct mntent *getmntent(FILE *); int endmntent(FILE *); char *hasmntopt(const struct mntent *, const char *); }
