#ifndef TEST_MEMORY_H
#define TEST_MEMORY_H

/// Fills memory with `byte` as it is handed out, or leaves it as it is below 0. Only glibc knows how.
void texel_test_fill_new_memory(int byte);

#endif
