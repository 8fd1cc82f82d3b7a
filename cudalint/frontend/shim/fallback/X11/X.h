#pragma once
#pragma clang system_header
#include "Xlib.h"
