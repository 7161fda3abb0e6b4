// The kernels for every processor of the architecture: SSE2 on x86-64, NEON on Arm.

#include "kernel_levels.h"
#include <string.h>

#define LEVEL_NAME(name) name##_baseline
#define LEVEL texel_cpu_baseline
#if defined(__x86_64__)
#define MULTIPLY_ADD_BYTES 16
#endif
#include "kernel_loops.h"
