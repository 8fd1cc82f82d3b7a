#pragma once
#pragma clang system_header
#include "egl.h"
