#pragma once
#pragma clang system_header
#include "../sys/socket.h"
#define IFNAMSIZ 16
#define IF_NAMESIZE 16
#define IFF_UP 1
#define IFF_BROADCAST 2
#define IFF_LOOPBACK 8
#define IFF_RUNNING 0x40
struct ifreq { char ifr_name[IFNAMSIZ]; union { struct sockaddr ifr_addr; int ifr_ifindex; short ifr_flags; char *ifr_data; char reserved[24]; }; };
extern "C" { unsigned int if_nametoindex(const char *); char *if_indextoname(unsigned int, char *); }
