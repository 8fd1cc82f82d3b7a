#pragma once
#pragma clang system_header
#include "types.h"
#define IPC_PRIVATE ((key_t)0)
#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_RMID 0
#define IPC_STAT 2
extern "C" key_t ftok(const char *, int);
