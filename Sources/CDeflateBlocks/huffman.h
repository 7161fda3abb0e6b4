#ifndef HUFFMAN_H
#define HUFFMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "deflate_blocks.h"

// Decoding tables of deflate's Huffman codes (RFC 1951). A table is looked up with the next bits of the stream; codes
// that are longer than its index go on in a second one behind it.

// An entry, from its lowest bits on:
//   0…7   bits to drop: the code, and for a length or distance its extra bits too
//   8…11  the index of a second table, in bits
//   12…15 what it is, one of the flags below
//   16…31 where the second table begins, or the symbol among those that code lengths are written with
typedef uint32_t huffman_entry;

enum {
    huffman_literal = 1 << 12,
    huffman_second = 1 << 13,  ///< go on in a second table; bits to drop are those of the first index
    huffman_end = 1 << 14,     ///< end of the block
    huffman_invalid = 1 << 15, ///< no code, or one that RFC 1951 reserves
    /// Anything but a length or distance.
    huffman_special = huffman_literal | huffman_second | huffman_end | huffman_invalid,
};

enum {
    huffman_longest = 15,
    lengths_index = 11,  ///< bits that the table of literals and lengths is looked up with
    distances_index = 9, ///< and that of distances
    // The first table, and for every long code at most a second one of 2⁴ (2⁶) entries; more codes than symbols there
    // are not.
    lengths_table = (1 << lengths_index) + 288 * 16,
    distances_table = (1 << distances_index) + 32 * 64,
};

/// The two codes of a block.
typedef struct {
    huffman_entry lengths[lengths_table], distances[distances_table];
} block_codes;

/// Reads bits from the lowest of each byte on. The input is readable behind its end; reading there is found afterwards.
typedef struct {
    const uint8_t *bytes;
    size_t count;    ///< of bytes
    size_t position; ///< in bits
} bit_reader;

/// The next bits, at least 56 of them right.
static inline uint64_t peek_bits(const bit_reader *reader) {
    uint64_t bits;
    memcpy(&bits, reader->bytes + reader->position / 8, sizeof bits);
    return bits >> (reader->position % 8);
}

static inline uint32_t read_bits(bit_reader *reader, int count) {
    uint32_t bits = (uint32_t)(peek_bits(reader) & ((1u << count) - 1));
    reader->position += (size_t)count;
    return bits;
}

static inline bool is_overrun(const bit_reader *reader) { return reader->position > reader->count * 8; }

typedef enum { block_stored = 0, block_fixed = 1, block_dynamic = 2, block_reserved = 3 } block_kind;

/// The lengths of the codes of a fixed or dynamic block whose three header bits have been read: those of literals and
/// lengths, then those of distances, 288 + 32 at most. Only their number is checked.
bool read_block_lengths(bit_reader *reader, block_kind kind, uint8_t *lengths, int *literals, int *distances);

/// Fills in the codes of a fixed or dynamic block whose three header bits have been read. The same codes are refused as
/// by zlib: too many symbols, no end of block, repeats without beginning or end, over-subscribed and incomplete codes
/// (but for a single code of one bit).
bool read_block_codes(bit_reader *reader, block_kind kind, block_codes *codes);

/// The length of a stored block whose three header bits have been read; −1 if its check does not hold. The reader
/// stands at its first byte afterwards.
int read_stored_length(bit_reader *reader);

#endif
