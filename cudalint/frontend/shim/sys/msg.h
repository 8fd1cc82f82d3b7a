#pragma once
#pragma clang system_header
#include "ipc.h"
struct msqid_ds;
#define MSG_NOERROR 010000
extern "C" { int msgget(key_t, int); int msgsnd(int, const void *, size_t, int); ssize_t msgrcv(int, void *, size_t, long, int); int msgctl(int, int, struct msqid_ds *); }
