#pragma once
#pragma clang system_header
#include "../signal.h"
