// Chooses a table of kernels, once per process.

#include "kernel_levels.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const level_names[] = {"baseline", "v2", "v3", "v4"};

texel_cpu_level texel_best_cpu_level(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) return texel_cpu_baseline;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")
        || !__builtin_cpu_supports("fma"))
        return texel_cpu_v2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw")
        || !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq"))
        return texel_cpu_v3;
    return texel_cpu_v4;
#else
    return texel_cpu_baseline;
#endif
}

const texel_kernels *texel_kernels_at(texel_cpu_level level) {
    if (level > texel_best_cpu_level()) return NULL;
    switch (level) {
    case texel_cpu_baseline: return &texel_kernels_baseline;
#if defined(__x86_64__)
    case texel_cpu_v2: return &texel_kernels_v2;
    case texel_cpu_v3: return &texel_kernels_v3;
    case texel_cpu_v4: return &texel_kernels_v4;
#endif
    default: return NULL;
    }
}

/// Returns the level that TEXEL_CPU names; the best level if the machine lacks it or the name is unknown.
static texel_cpu_level requested_level(void) {
    texel_cpu_level best = texel_best_cpu_level();
    const char *request = getenv("TEXEL_CPU");
    for (int level = texel_cpu_baseline; request && level <= texel_cpu_v4; level++)
        if (strcmp(request, level_names[level]) == 0 && level < (int)best) return (texel_cpu_level)level;
    return best;
}

const texel_kernels *texel_kernels_in_use(void) {
    // Threads that race here compute the same value, so it does not matter which store is last.
    static _Atomic(const texel_kernels *) chosen;
    const texel_kernels *kernels = atomic_load_explicit(&chosen, memory_order_acquire);
    if (kernels) return kernels;
    kernels = texel_kernels_at(requested_level());
    if (!kernels) kernels = &texel_kernels_baseline;
    atomic_store_explicit(&chosen, kernels, memory_order_release);
    return kernels;
}

texel_cpu_level texel_cpu_level_in_use(void) { return texel_kernels_in_use()->level; }

const char *texel_cpu_level_name(texel_cpu_level level) {
    return level >= texel_cpu_baseline && level <= texel_cpu_v4 ? level_names[level] : "unknown";
}
