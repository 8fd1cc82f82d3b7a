#pragma once
#pragma clang system_header
#include "../unistd.h"
