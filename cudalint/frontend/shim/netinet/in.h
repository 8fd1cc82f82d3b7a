#pragma once
#pragma clang system_header
#include "../arpa/inet.h"
struct in_addr { uint32_t s_addr; };
struct sockaddr_in { sa_family_t sin_family; uint16_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct in6_addr { unsigned char s6_addr[16]; };
struct sockaddr_in6 { sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr sin6_addr; uint32_t sin6_scope_id; };
extern const struct in6_addr in6addr_any, in6addr_loopback;
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define INADDR_ANY 0u
#define INADDR_LOOPBACK 0x7f000001u
#define IPPROTO_IP 0
#define IPPROTO_IPV6 41
#define IPPROTO_TCP 6
