#ifndef CODEC_INPUT_H
#define CODEC_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Waits until `count` bytes of the file are there; returns how many are, fewer than `count` only at the file's end, or
/// -1 to stop. Must return normally: coming home is the fence's.
typedef ptrdiff_t (*texel_wait_for_bytes)(void *context, size_t count);

/// A file in memory. It may still be growing there, at its end, and never moves.
typedef struct {
    const uint8_t *bytes;
    size_t count;              ///< how many are there
    texel_wait_for_bytes wait; ///< asks for more; NULL where there are no more
    void *context;
    bool ends_picture; ///< of a JPEG: an end marker shall follow the last byte
} texel_codec_input;

#endif
