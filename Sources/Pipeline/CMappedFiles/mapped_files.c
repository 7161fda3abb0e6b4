#define _GNU_SOURCE // MAP_ANONYMOUS
#include "mapped_files.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD_COUNT = 256 };

/// `start` is 0 if the guard is free, and 1 while it is being set.
static struct {
    _Atomic uintptr_t start, end;
    atomic_bool has_missed;
} guards[GUARD_COUNT];

static struct sigaction former;
static uintptr_t page_size;

/// Passes a signal on to the handler that was there before.
static void pass_on(int signal_number, siginfo_t *info, void *context) {
    if (former.sa_flags & SA_SIGINFO) {
        (*former.sa_sigaction)(signal_number, info, context);
    } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
        (*former.sa_handler)(signal_number);
    } else {
        // The instruction is tried again, and then ends the process.
        signal(signal_number, SIG_DFL);
    }
}

/// Puts a page of zeros where one is missing. Calls only functions that a signal handler may call.
static void replace_page(int signal_number, siginfo_t *info, void *context) {
    int reason = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int i = 0; i < GUARD_COUNT; i++) {
        uintptr_t start = atomic_load(&guards[i].start);
        if (start <= 1 || address < start || address >= atomic_load(&guards[i].end)) continue;
        void *page = (void *)(address & ~(page_size - 1));
        if (mmap(page, page_size, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
        atomic_store(&guards[i].has_missed, true);
        errno = reason;
        return;
    }
    errno = reason;
    pass_on(signal_number, info, context);
}

static bool is_installed;

static void install(void) {
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = replace_page, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    is_installed = sigaction(SIGBUS, NULL, &former) == 0 && sigaction(SIGBUS, &action, NULL) == 0;
}

int texel_guard_mapping(const void *base, size_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    if (!is_installed) return -1;
    for (int i = 0; i < GUARD_COUNT; i++) {
        uintptr_t free_guard = 0;
        if (!atomic_compare_exchange_strong(&guards[i].start, &free_guard, 1)) continue;
        atomic_store(&guards[i].has_missed, false);
        atomic_store(&guards[i].end, (uintptr_t)base + count);
        atomic_store(&guards[i].start, (uintptr_t)base);
        return i;
    }
    return -1;
}

bool texel_guard_has_missed(int guard) { return atomic_load(&guards[guard].has_missed); }

void texel_end_guard(int guard) { atomic_store(&guards[guard].start, 0); }
