#pragma once
#pragma clang system_header
#include "math.h"
#include "complex"
