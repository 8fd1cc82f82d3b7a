#pragma once
#pragma clang system_header
#include "../arpa/inet.h"
struct in_addr { uint32_t s_addr; };
struct sockaddr_in { sa_family_t sin_family; uint16_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
#define INADDR_ANY 0u
#define IPPROTO_TCP 6
