#pragma once
#pragma clang system_header
#include "sys/types.h"
struct group { char *gr_name, *gr_passwd; gid_t gr_gid; char **gr_mem; };
extern "C" { struct group *getgrgid(gid_t); struct group *getgrnam(const char *); int getgrgid_r(gid_t, struct group *, char *, size_t, struct group **); int getgrnam_r(const char *, struct group *, char *, size_t, struct group **); int getgrouplist(const char *, gid_t, gid_t *, int *); int setgroups(size_t, const gid_t *); }
