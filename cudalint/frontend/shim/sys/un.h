#pragma once
#pragma clang system_header
#include "socket.h"
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
#define SUN_LEN(p) (sizeof(*(p)))
