#ifndef DEFLATE_BLOCKS_H
#define DEFLATE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The position of the last block of a deflate stream, in bits from the start of the stream.
typedef struct {
    size_t begin, end;
} texel_deflate_block;

/// The number of bytes after its end up to which a stream must be readable; their values do not matter.
enum { texel_deflate_padding = 1024 };

/// Finds the last block of a complete deflate stream (RFC 1951) without decompressing it.
///
/// `bytes` must be readable for `texel_deflate_padding` bytes after `count`. Returns false if the stream is invalid.
bool texel_deflate_find_last_block(const uint8_t *bytes, size_t count, texel_deflate_block *block);

/// Recodes a complete deflate stream: divides its literals and matches into new blocks that end where the statistics
/// change, each with optimal codes. With `most_passes` above 0, they are also replaced by cheaper ones for the same
/// bytes, in about that number of passes.
///
/// `bytes` must be readable for `texel_deflate_padding` bytes after `count`. If `is_last` is false, the result ends
/// with an empty stored block at a byte boundary, so that another stream can follow. The tokens are divided into at
/// most `most_pieces` (positive) pieces, which are joined to blocks. If `uses_thread` is set, a second thread takes a
/// part of the passes' work; the result does not depend on it.
///
/// Returns the number of bytes written to `result`, or 0 if they exceed `capacity`, the stream is invalid, or memory
/// runs out.
size_t texel_deflate_reblock(
    const uint8_t *bytes, size_t count, bool is_last, int most_pieces, int most_passes, bool uses_thread,
    uint8_t *result, size_t capacity);

#pragma clang assume_nonnull end

#endif
