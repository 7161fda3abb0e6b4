#include "allocation_count.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__GLIBC__)
#include <malloc.h>

long allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

#else

long allocated_bytes(void) { return -1; }

#endif

#if defined(__GLIBC__) || (defined(__linux__) && !defined(__ANDROID__))

static atomic_long count;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

long allocation_count(void) { return atomic_load(&count); }

void *malloc(size_t size) {
    atomic_fetch_add(&count, 1);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    atomic_fetch_add(&count, 1);
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    atomic_fetch_add(&count, 1);
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    atomic_fetch_add(&count, 1);
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    atomic_fetch_add(&count, 1);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    atomic_fetch_add(&count, 1);
    *pointer = __libc_memalign(alignment, size);
    return *pointer ? 0 : ENOMEM;
}

#else

long allocation_count(void) { return -1; }

#endif
