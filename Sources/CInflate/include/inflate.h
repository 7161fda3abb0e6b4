#ifndef INFLATE_H
#define INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Where the last block of a deflate stream lies, in bits from the stream's first.
typedef struct {
    size_t begin, end;
} texel_deflate_block;

/// Finds the last block of a whole deflate stream without writing what it inflates to.
///
/// `bytes` is readable for `texel_inflate_padding` bytes behind `count`. Returns false for what is no such stream.
bool texel_deflate_find_last_block(const uint8_t *bytes, size_t count, texel_deflate_block *block);

/// How many bytes behind its end an input must be readable (whatever they hold).
enum { texel_inflate_padding = 512 };

#pragma clang assume_nonnull end

#endif
