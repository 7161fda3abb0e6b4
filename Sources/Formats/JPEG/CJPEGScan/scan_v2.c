// The decoder for SSE4.2. kernel_dispatch.c of the pixel kernels checks the processor for it.

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "scan_plan.h"

#pragma clang attribute push(__attribute__((target("sse4.2,popcnt"))), apply_to = function)
#define VECTOR_BYTES 16
#include "inverse_transform_vector.h"
#define LEVEL_NAME(name) name##_v2
#include "scan_loops.h"
#pragma clang attribute pop

#endif
