#pragma once
#pragma clang system_header
#include "../ucontext.h"
