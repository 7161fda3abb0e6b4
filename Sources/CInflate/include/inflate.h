#ifndef INFLATE_H
#define INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Inflating

typedef struct texel_inflater texel_inflater;

/// Inflates a zlib stream (RFC 1950) that comes in pieces. Strict: it refuses all that zlib refuses, and distances beyond
/// the window that the header declares.
///
/// `piece` is the most that is taken at a time. Returns NULL without memory.
texel_inflater *_Nullable texel_inflater_create(size_t piece);
void texel_inflater_destroy(texel_inflater *inflater);

/// Takes up to `count` bytes of the stream, as many as there is room for, and returns how many.
size_t texel_inflater_feed(texel_inflater *inflater, const uint8_t *_Nullable bytes, size_t count);

/// What must be done for the next bytes.
typedef enum {
    TEXEL_INFLATER_READY,  ///< they are there
    TEXEL_INFLATER_HUNGRY, ///< feed it; where nothing is left, the stream is cut
    TEXEL_INFLATER_ENDED,  ///< the stream was whole and has ended
    TEXEL_INFLATER_BROKEN, ///< the stream is damaged
} texel_inflater_state;

/// Inflates until `count` ≤ `piece` bytes can be taken, if it can. `is_all` says that nothing is left to be fed.
texel_inflater_state texel_inflater_run(texel_inflater *inflater, size_t count, bool is_all);

/// Where the next bytes are, until the next call, at least as many as `texel_inflater_run` made ready.
const uint8_t *texel_inflater_bytes(const texel_inflater *inflater);

/// Passes over bytes that were ready.
void texel_inflater_take(texel_inflater *inflater, size_t count);

/// After its end: the Adler-32 that the stream declares, and how many bytes of what was fed lie behind it.
uint32_t texel_inflater_declared_checksum(const texel_inflater *inflater);
size_t texel_inflater_excess(const texel_inflater *inflater);

/// How many bytes behind its end an input must be readable (whatever they hold).
enum { texel_inflate_padding = 1024 };

// MARK: Blocks

/// Where the last block of a deflate stream lies, in bits from the stream's first.
typedef struct {
    size_t begin, end;
} texel_deflate_block;

/// Finds the last block of a whole deflate stream without writing what it inflates to.
///
/// `bytes` is readable for `texel_inflate_padding` bytes behind `count`. Returns false for what is no such stream.
bool texel_deflate_find_last_block(const uint8_t *bytes, size_t count, texel_deflate_block *block);

#pragma clang assume_nonnull end

#endif
