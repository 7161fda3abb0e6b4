#define _GNU_SOURCE
#include "isolation.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Computation, and reading and writing through open descriptors.
static const int permitted_calls[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(pwrite64), SCMP_SYS(lseek),
    SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(ftruncate),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk), SCMP_SYS(futex), SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrusage),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(membarrier),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
};

// C libraries try to open files that they can do without (time zone, number of processors), query terminals. These
// calls fail with EACCES instead of ending the process.
static const int refused_calls[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(ioctl), SCMP_SYS(fcntl),
};

#define count_of(array) (sizeof(array) / sizeof(array)[0])

// The functions up to load_filter return 0 or a negative error, like libseccomp; the ones after it a positive errno.

static int add_memory_rules(scmp_filter_ctx filter) {
    // No memory can be made executable.
    int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    if (code != 0) return code;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

static int add_own_process_rules(scmp_filter_ctx filter) {
    // Limits and signals of this process only; abort() sends itself a signal.
    int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0));
    if (code != 0) return code;
    scmp_datum_t own = (scmp_datum_t)getpid();
    code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, own));
    if (code != 0) return code;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, SCMP_A0(SCMP_CMP_EQ, own));
}

static int add_thread_rules(scmp_filter_ctx filter) {
    // Threads of this process, but no other processes. The flags of clone3 are in memory, where a filter cannot see
    // them; without it the C library uses clone.
    scmp_datum_t flags = CLONE_THREAD | CLONE_VM;
    int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, flags, flags));
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (code != 0) return code;
    // Libraries name their threads.
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
}

static int add_rules(scmp_filter_ctx filter) {
    for (size_t i = 0; i < count_of(permitted_calls); i++) {
        int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, permitted_calls[i], 0);
        if (code != 0) return code;
    }
    for (size_t i = 0; i < count_of(refused_calls); i++) {
        // Some architectures lack the older calls.
        int code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), refused_calls[i], 0);
        if (code != 0 && code != -EDOM) return code;
    }
    int code = add_memory_rules(filter);
    if (code == 0) code = add_thread_rules(filter);
    return code != 0 ? code : add_own_process_rules(filter);
}

static int load_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (filter == NULL) return -ENOMEM;
    int code = add_rules(filter);
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return code;
}

static int limit(int resource, rlim_t value) {
    struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &limits) == 0 ? 0 : errno;
}

/// Resets signals, so that fatal ones end this process even if its parent ignored or blocked them.
static int reset_signals(void) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    // The terminal sends its signals to every process of the group; the parent decides when this one ends.
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < count_of(ignored); i++) signal(ignored[i], SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0 ? 0 : errno;
}

int texel_confine(int last_descriptor, uint64_t memory_bytes) {
    if (syscall(SYS_close_range, (unsigned)last_descriptor + 1, ~0u, 0) != 0) return errno;
    int code = reset_signals();
    if (code == 0) code = limit(RLIMIT_CORE, 0);
    if (code == 0) code = limit(RLIMIT_AS, memory_bytes);
    if (code == 0) code = limit(RLIMIT_FSIZE, memory_bytes);
    // One more descriptor than now, for the next input.
    if (code == 0) code = limit(RLIMIT_NOFILE, (rlim_t)last_descriptor + 2);
    if (code != 0) return code;
    // Other processes of the same user must not attach to this one.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    return -load_filter();
}

void texel_seccomp_version(unsigned version[3]) {
    const struct scmp_version *linked = seccomp_version();
    version[0] = linked == NULL ? 0 : linked->major;
    version[1] = linked == NULL ? 0 : linked->minor;
    version[2] = linked == NULL ? 0 : linked->micro;
}

int texel_allow_processor_time(uint64_t seconds) {
    struct timespec used;
    struct rlimit limits;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 || getrlimit(RLIMIT_CPU, &limits) != 0) return errno;
    // The limit is in whole seconds: round the time used up.
    limits.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
    return setrlimit(RLIMIT_CPU, &limits) == 0 ? 0 : errno;
}

#endif
