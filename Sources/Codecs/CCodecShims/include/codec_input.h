#ifndef CODEC_INPUT_H
#define CODEC_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Waits until `count` bytes of the file are available. Returns how many are, fewer than `count` only at the end of the
/// file, or -1 to stop. Must return normally; only the fence may `longjmp`.
typedef ptrdiff_t (*texel_wait_for_bytes)(void *context, size_t count);

/// A file in memory. Bytes may still be appended while it is read; they never move.
typedef struct {
    const uint8_t *bytes;
    size_t count;              ///< the number of bytes available now
    texel_wait_for_bytes wait; ///< waits for more bytes; NULL if the file is complete
    void *context;
    bool ends_picture; ///< JPEG: an end marker is assumed after the last byte, without a warning
} texel_codec_input;

#endif
