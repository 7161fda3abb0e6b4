// The bits of a scan: a window of its bytes without the stuffed zeros, the bits to decode next, and what the decoding
// of a block depends on besides them.

#ifndef SCAN_STREAM_H
#define SCAN_STREAM_H

#include <string.h>

#include "jpeg_coefficients.h"

enum {
    /// The most bytes of an MCU: blocks of 64 coefficients, each of a code and 15 bits.
    LARGEST_MCU = TEXEL_COEFFICIENT_BLOCKS * 64 * 4,
    /// How far the decoder may read past the bytes of an MCU.
    READ_AHEAD = 32,
    WINDOW_BYTES = 8 * 1024,
};

/// The bits to decode next, the first as the highest; `count` of them are valid. Below them may be the bits that
/// follow.
typedef struct {
    uint64_t bits;
    uint32_t count;
    const uint8_t *next; ///< the byte that follows the valid bits
} bit_reader;

/// Copies bytes up to a marker, without the zeros after 0xFF bytes, as long as there is room. Returns the end of the
/// copy, and moves `from` to the byte that comes next. A 0xFF byte that is the last one stays.
typedef uint8_t *unstuffing(const uint8_t **from, const uint8_t *end, uint8_t *to, const uint8_t *room);

typedef struct {
    texel_scan_input input;
    unstuffing *copy;
    size_t position; ///< in the input, of the byte that comes into the window next
    uint64_t before; ///< the bytes before the window, without stuffed zeros
    size_t end;      ///< the bytes in the window
    bool is_closed;  ///< a marker or the end of the file comes after the window; zeros pad it
    int marker;      ///< at `position`, after the window was closed; 0 at the end of the file
    bool is_refused; ///< what comes after the window is unusual
    bool is_stopped;

    size_t mark;          ///< a position in the input, from which bits are counted
    bool has_mark;        ///< the mark was reached
    uint64_t mark_offset; ///< the bytes before it, without stuffed zeros

    int restart_interval; ///< in MCUs; 0 for none
    int mcus_to_marker;   ///< in the restart interval
    int restarts;         ///< so far, or a number with the same remainder of 8
    int32_t predictions[TEXEL_COEFFICIENT_COMPONENTS];
    uint32_t end_run; ///< how many of the next blocks have no new coefficients, in a progressive scan

    bit_reader reader; ///< its address is inside `bytes`
    uint8_t bytes[WINDOW_BYTES + LARGEST_MCU + READ_AHEAD];
} scan_stream;

/// Begins at a position of the input: the start of the scan or of a restart interval.
void scan_stream_start(scan_stream *stream, const texel_scan_input *input, size_t position, unstuffing *copy,
                       int restart_interval);

/// Copies a stream, whose reader then refers to the copy's bytes.
void scan_stream_copy(scan_stream *stream, const scan_stream *other);

/// Makes more bytes available to decode an MCU. `reader` is the stream's, kept in registers.
texel_scan_status scan_stream_refill(scan_stream *stream, bit_reader *reader);

/// Checks the end of a restart interval, and begins the next.
texel_scan_status scan_stream_restart(scan_stream *stream, bit_reader *reader);

/// Checks that less than a byte is left before a marker or the end of the file.
texel_scan_status scan_stream_read_to_marker(scan_stream *stream, bit_reader *reader);

/// Sets the mark to a position that is not yet in the window. The byte before it must not be 0xFF, except in the marker
/// before a restart interval.
void scan_stream_set_mark(scan_stream *stream, size_t position);

/// Returns the address up to which a reader may be before it decodes an MCU. From there on the bytes of an MCU and
/// those that a reader loads before it needs them are in the window, or padding.
static inline const uint8_t *scan_stream_limit(const scan_stream *stream) {
    const uint8_t *end = stream->bytes + stream->end;
    return stream->is_closed ? end + sizeof(uint64_t) : end - LARGEST_MCU - READ_AHEAD;
}

/// Returns how many bits of the window's bytes are left; negative if the reader consumed padding.
static inline ptrdiff_t scan_stream_bits_left(const scan_stream *stream, const bit_reader *reader) {
    return (stream->bytes + stream->end - reader->next) * 8 + (ptrdiff_t)reader->count;
}

/// Returns the number of bits from the mark, which was reached, to the reader.
static inline int64_t scan_stream_bits_after_mark(const scan_stream *stream) {
    int64_t bytes = (int64_t)(stream->before - stream->mark_offset) + (stream->reader.next - stream->bytes);
    return bytes * 8 - (int64_t)stream->reader.count;
}

/// Makes at least 56 bits valid.
static inline __attribute__((always_inline)) void refill(bit_reader *reader) {
    uint64_t bytes;
    memcpy(&bytes, reader->next, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    reader->bits |= bytes >> reader->count;
    reader->next += (63 - reader->count) >> 3;
    reader->count |= 56;
}

static inline __attribute__((always_inline)) void consume(bit_reader *reader, uint32_t count) {
    reader->bits <<= count;
    reader->count -= count;
}

static inline __attribute__((always_inline)) uint32_t peek(const bit_reader *reader, uint32_t count) {
    return (uint32_t)(reader->bits >> (64 - count));
}

#endif
