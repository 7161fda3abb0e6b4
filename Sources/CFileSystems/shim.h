// Swift's module of the C library lacks this function, because it is declared only with _GNU_SOURCE.
#ifdef __linux__
int syncfs(int descriptor);
#endif
