#pragma once
#pragma clang system_header
#include "sys/syscall.h"
