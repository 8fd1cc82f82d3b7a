"""Every key of the configuration in words, for docs/configuration.md: key -> (example, what it says)."""

KEYS = {
    "arch": ('"sm_80"', 'or several: `["sm_75", "sm_90"]`; default: that of the build, else sm_90'),
    "assume": ('["n % 32 == 0"]', "C expressions that hold: what the source does not say"),
    "baseline": ('"cudalint-baseline.json"', "the file of known findings, which are not reported"),
    "compile-commands": ('"build"', "the folder of compile_commands.json; default: searched above each file"),
    "defines": ('["USE_DOUBLE=1"]', "macro definitions"),
    "device": ('"A100 80GB"', "the device that the code runs on; default: the fastest of the architecture"),
    "exclude": (
        '["third_party/"]',
        "what is not linted, in gitignore syntax, relative to the configuration file",
    ),
    "extend-select": ('["CU102"]', "rules that are on in addition"),
    "extra-args": ('["-fms-extensions"]', "additional compiler arguments"),
    "fail-on": ('"warning"', "the lowest severity that exits with 1: error, warning (the default) or note"),
    "fail-on-impact": ("20", "percent: exit with 1 also where fixing a finding may save this much"),
    "force-exclude": ("true", "`exclude` holds also for files that are named; default: false"),
    "ignore": ('["CU308"]', "rules that are off"),
    "include-paths": ('["include"]', "include directories, relative to the configuration file"),
    "memory-limit": ("2048", "MiB of memory that a worker may use for one file; default: 1024"),
    "min-impact": ("10", "percent: report what fixing may save at least this much; default: 5; 0: all"),
    "min-severity": ('"warning"', "report this severity and worse: error, warning or note (the default)"),
    "per-file-ignores": (
        '{"tests/**" = ["CU6"]}',
        "rules that are off for files of a pattern (gitignore syntax)",
    ),
    "preview": ("true", "rules in preview are on as well; default: false"),
    "required-version": (
        '">=0.1, <1"',
        "the versions of cudalint that may lint this; others end with status 2",
    ),
    "respect-gitignore": ("false", "whether files that .gitignore names are left out; default: true"),
    "select": (
        '["CU1", "CU3"]',
        "rules that are on, by code, name, prefix, or ALL; default: those not opt-in",
    ),
    "severity": ('{CU106 = "warning", CU5 = "note"}', "the severity of rules; of several, the last counts"),
    "std": ('"c++17"', "the C++ standard"),
    "time-limit": ("120", "seconds of CPU time that one file may take; default: 60"),
}
