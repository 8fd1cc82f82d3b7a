#pragma once
#pragma clang system_header
#include "../poll.h"
