#pragma once
#pragma clang system_header
struct pollfd { int fd; short events, revents; };
#define POLLIN 1
extern "C" int poll(struct pollfd *, unsigned long, int);
