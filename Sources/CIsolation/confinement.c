#define _GNU_SOURCE
#include "isolation.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// What computing takes, and reading and writing through descriptors that are there.
static const int permitted_calls[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(pwrite64), SCMP_SYS(lseek),
    SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(ftruncate),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk), SCMP_SYS(futex), SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrusage),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(membarrier),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
};

// C libraries ask for files that they can do without (a time zone, the number of processors), and for terminals.
static const int refused_calls[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(ioctl), SCMP_SYS(fcntl),
};

#define count_of(array) (sizeof(array) / sizeof(array)[0])

// All functions return 0 or a negative error, as libseccomp's.

static int add_memory_rules(scmp_filter_ctx filter) {
    // No memory becomes code.
    int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    if (code != 0) return code;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

static int add_own_process_rules(scmp_filter_ctx filter) {
    // Limits and signals of this process only; abort() sends one.
    int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0));
    if (code != 0) return code;
    scmp_datum_t own = (scmp_datum_t)getpid();
    code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, own));
    if (code != 0) return code;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, SCMP_A0(SCMP_CMP_EQ, own));
}

static int add_rules(scmp_filter_ctx filter) {
    for (size_t i = 0; i < count_of(permitted_calls); i++) {
        int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, permitted_calls[i], 0);
        if (code != 0) return code;
    }
    for (size_t i = 0; i < count_of(refused_calls); i++) {
        // Some architectures never had the older ones.
        int code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), refused_calls[i], 0);
        if (code != 0 && code != -EDOM) return code;
    }
    int code = add_memory_rules(filter);
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

/// What ends a process must end this one, whatever whoever started it ignores or blocks.
static int reset_signals(void) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    // An interrupted terminal tells every process of it; the parent decides what becomes of this one.
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
    // One more than there are: that of the next input.
    if (code == 0) code = limit(RLIMIT_NOFILE, (rlim_t)last_descriptor + 2);
    if (code != 0) return code;
    // Another process of the same user may not look into this one.
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
    // Whole seconds: what has begun counts as over.
    limits.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
    return setrlimit(RLIMIT_CPU, &limits) == 0 ? 0 : errno;
}

#endif
