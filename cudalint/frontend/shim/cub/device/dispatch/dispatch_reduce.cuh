#pragma once
#pragma clang system_header
#include "../../../cudalint/cub_device.h"
