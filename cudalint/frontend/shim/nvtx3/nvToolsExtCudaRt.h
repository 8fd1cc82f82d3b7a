#pragma once
#pragma clang system_header
#include "nvToolsExt.h"
