#pragma once
#pragma clang system_header
#include "time.h"
