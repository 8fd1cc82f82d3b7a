#pragma once
#pragma clang system_header
typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000
#define THOUSEP 0x10001
#define D_T_FMT 0x20028
#define D_FMT 0x20029
#define T_FMT 0x2002A
extern "C" char *nl_langinfo(nl_item);
