#pragma once
#pragma clang system_header
#include "cudalint/math.h"
