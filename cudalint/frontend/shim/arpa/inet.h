#pragma once
#pragma clang system_header
#include "../stdint.h"
#include "../sys/socket.h"
extern "C" { uint32_t htonl(uint32_t); uint16_t htons(uint16_t); uint32_t ntohl(uint32_t); uint16_t ntohs(uint16_t); const char *inet_ntop(int, const void *, char *, socklen_t); int inet_pton(int, const char *, void *); }
