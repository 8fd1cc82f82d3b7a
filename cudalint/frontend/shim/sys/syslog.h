#pragma once
#pragma clang system_header
#include "../syslog.h"
