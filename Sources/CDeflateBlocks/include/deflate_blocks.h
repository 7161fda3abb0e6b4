#ifndef DEFLATE_BLOCKS_H
#define DEFLATE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Where the last block of a deflate stream lies, in bits from the stream's first.
typedef struct {
    size_t begin, end;
} texel_deflate_block;

/// How many bytes behind its end a stream must be readable (whatever they hold).
enum { texel_deflate_padding = 1024 };

/// Finds the last block of a whole deflate stream (RFC 1951) without writing what it inflates to.
///
/// `bytes` is readable for `texel_deflate_padding` bytes behind `count`. Returns false for what is no such stream.
bool texel_deflate_find_last_block(const uint8_t *bytes, size_t count, texel_deflate_block *block);

/// Writes a whole deflate stream anew, with the same literals and matches in other blocks: they end where the statistics
/// change, and each has the codes that fit it.
///
/// `bytes` is readable for `texel_deflate_padding` bytes behind `count`. `is_last`: the stream ends the data; else it ends
/// with an empty stored block at a whole byte, so that another can follow. `most_pieces`, positive: the stream is divided
/// into so many at most, and blocks are made of them. Returns the number of bytes written to `result`, or 0 where they
/// are more than `capacity`, the stream is none, or memory is short.
size_t texel_deflate_reblock(
    const uint8_t *bytes, size_t count, bool is_last, int most_pieces, uint8_t *result, size_t capacity);

#pragma clang assume_nonnull end

#endif
