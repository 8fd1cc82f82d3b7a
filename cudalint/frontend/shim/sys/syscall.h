#pragma once
#pragma clang system_header
#define SYS_gettid 186
#define __NR_gettid 186
