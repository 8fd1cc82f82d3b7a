#pragma once
#pragma clang system_header
#include "../../cudalint/thrust_memory.h"
