#pragma once
#pragma clang system_header
#include "../fcntl.h"
