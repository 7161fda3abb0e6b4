#include "test_memory.h"

#ifdef __linux__
#include <malloc.h>
#endif

void texel_test_fill_new_memory(int byte) {
#ifdef M_PERTURB
    mallopt(M_PERTURB, byte < 0 ? 0 : byte ^ 0xFF);
#else
    (void)byte;
#endif
}
