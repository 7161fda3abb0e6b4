// Gives up its privileges as a child does, and then does what the argument says. Tests look at how it ends.

#define _GNU_SOURCE
#include "isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static void *nothing(void *argument) { return argument; }

/// Whether something that is refused was refused.
static int refused(int result) { return result < 0 && errno == EACCES ? 0 : 1; }

static int act(const char *deed) {
    if (strcmp(deed, "compute") == 0) {
        char *memory = malloc(1 << 20);
        if (memory == NULL) return 1;
        memset(memory, 1, 1 << 20);
        int sum = memory[0] + memory[(1 << 20) - 1];
        free(memory);
        return sum == 2 ? 0 : 1;
    }
    if (strcmp(deed, "open") == 0) return refused(open("/etc/passwd", O_RDONLY));
    if (strcmp(deed, "create") == 0) return refused(open("/tmp/texel-confined", O_WRONLY | O_CREAT, 0600));
    if (strcmp(deed, "socket") == 0) return socket(AF_INET, SOCK_STREAM, 0) < 0;
    if (strcmp(deed, "fork") == 0) return fork() < 0;
    if (strcmp(deed, "exec") == 0) return execl("/bin/true", "true", (char *)NULL);
    if (strcmp(deed, "kill") == 0) return kill(getppid(), 0);
    if (strcmp(deed, "thread") == 0) {
        pthread_t thread;
        return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0 ? 0 : 1;
    }
    if (strcmp(deed, "code") == 0) {
        return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
    }
    // The two limits answer with an error, and with a signal.
    if (strcmp(deed, "memory") == 0) {
        // Volatile: the optimiser may assume that an allocation succeeds if its memory is never used.
        void *volatile memory = malloc((size_t)1 << 30);
        return memory == NULL ? 0 : 1;
    }
    if (strcmp(deed, "spin") == 0) {
        if (texel_allow_processor_time(0) != 0) return 1;
        for (volatile unsigned i = 0;; i++) {}
    }
    if (strcmp(deed, "abort") == 0) abort();
    return 2;
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    // Inherited, and closed by the confinement.
    int other = fcntl(0, F_DUPFD, 9);
    if (texel_confine(4, 512u << 20) != 0) return 3;
    if (strcmp(arguments[1], "descriptor") == 0) return write(other, "", 1) < 0 && errno == EBADF ? 0 : 1;
    return act(arguments[1]);
}
