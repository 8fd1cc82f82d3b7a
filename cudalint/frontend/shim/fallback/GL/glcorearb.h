#pragma once
#pragma clang system_header
#include "gl.h"
