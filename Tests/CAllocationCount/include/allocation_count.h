// Counts the allocations of a whole program: whoever links this replaces the C library's allocator by one that counts
// and asks the C library's. Linux with glibc only; elsewhere the count stays -1.

#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/// How often memory was asked for since the program began.
long allocation_count(void);

/// How many bytes are allocated now; -1 where the C library does not tell.
long allocated_bytes(void);

#endif
