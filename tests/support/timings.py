"""What the driver of a pair prints on a GPU, for tests that have none."""

TOLD = {
    "device": "NVIDIA H200",
    "capability": 90,
    "driver_api": 13000,
    "clock_khz": 1980000,
    "memory_clock_khz": 3201000,
    "multiprocessors": 132,
    "l2_bytes": 62914560,
    "buffers": 2,
    "clock": "events",
    "tolerance": 1e-4,
    "error": {"bad": 1e-6, "good": 2e-5},
    "ms": {"bad": [4.0, 2.0, 3.0, 5.0, 1.0], "good": [1.0, 1.0, 1.0, 1.0, 1.0]},
}
