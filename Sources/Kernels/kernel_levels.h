// The kernel tables, each defined by one kernels_<level>.c.

#ifndef KERNEL_LEVELS_H
#define KERNEL_LEVELS_H

#include "pixel_kernels.h"

extern const texel_kernels texel_kernels_baseline;

#if defined(__x86_64__)
extern const texel_kernels texel_kernels_v2;
extern const texel_kernels texel_kernels_v3;
extern const texel_kernels texel_kernels_v4;
#endif

#endif
