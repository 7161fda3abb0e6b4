// Swift's module of the C library lacks these functions, because they are declared only with _GNU_SOURCE.
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

int syncfs(int descriptor);

// Renames a file only if the new name is free.
static const unsigned int texel_rename_noreplace = 1;
// Exchanges the files of two names at once.
static const unsigned int texel_rename_exchange = 2;

// renameat2(2), which not every C library has.
static inline int texel_renameat2(
    int directory, const char *name, int other_directory, const char *other_name, unsigned int flags) {
    return (int)syscall(SYS_renameat2, directory, name, other_directory, other_name, flags);
}
#endif
