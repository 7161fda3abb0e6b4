#ifndef HUFFMAN_H
#define HUFFMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "deflate_blocks.h"

// Decoding tables for deflate's Huffman codes (RFC 1951). The next bits of the stream are the index into a table; codes
// longer than the index continue in a second table after it.

// The bits of an entry:
//   0…7   bits to drop: the code, and for a length or distance its extra bits too
//   8…11  the index size of a second table, in bits
//   12…15 the type, one of the flags below
//   16…31 the position of the second table, or the symbol of the code length alphabet
typedef uint32_t huffman_entry;

enum {
    huffman_literal = 1 << 12,
    huffman_second = 1 << 13,  ///< continue in a second table; the bits to drop are those of the first index
    huffman_end = 1 << 14,     ///< end of the block
    huffman_invalid = 1 << 15, ///< no code, or a symbol that RFC 1951 reserves
    /// Everything except lengths and distances.
    huffman_special = huffman_literal | huffman_second | huffman_end | huffman_invalid,
};

enum {
    huffman_longest = 15,
    lengths_index = 11,  ///< index bits of the table of literals and lengths
    distances_index = 9, ///< index bits of the table of distances
    // The first table, and at most one second table of 2⁴ (2⁶) entries per long code; there are at most as many codes
    // as symbols.
    lengths_table = (1 << lengths_index) + 288 * 16,
    distances_table = (1 << distances_index) + 32 * 64,
};

/// The decoding tables of a block's two codes.
typedef struct {
    huffman_entry lengths[lengths_table], distances[distances_table];
} block_codes;

/// Reads bits, starting at the lowest of each byte. The input must be readable past its end; overreads are detected
/// afterwards.
typedef struct {
    const uint8_t *bytes;
    size_t count;    ///< of bytes
    size_t position; ///< in bits
} bit_reader;

/// Returns the next bits without consuming them. At least 56 are valid.
static inline uint64_t peek_bits(const bit_reader *reader) {
    uint64_t bits;
    memcpy(&bits, reader->bytes + reader->position / 8, sizeof bits);
    return bits >> (reader->position % 8);
}

/// Reads up to 31 bits.
static inline uint32_t read_bits(bit_reader *reader, int count) {
    uint32_t bits = (uint32_t)(peek_bits(reader) & ((1u << count) - 1));
    reader->position += (size_t)count;
    return bits;
}

/// Returns whether more bits were read than the input has.
static inline bool is_overrun(const bit_reader *reader) { return reader->position > reader->count * 8; }

/// The kinds of blocks, as their headers encode them.
typedef enum { block_stored = 0, block_fixed = 1, block_dynamic = 2, block_reserved = 3 } block_kind;

/// Reads the code lengths of a fixed or dynamic block whose three header bits have been read: those of literals and
/// lengths, then those of distances, at most 288 + 32. Returns false if the block's header is invalid; does not check
/// the codes.
bool read_block_lengths(bit_reader *reader, block_kind kind, uint8_t *lengths, int *literals, int *distances);

/// Makes the tables of a fixed or dynamic block whose three header bits have been read. Rejects the same codes as zlib:
/// too many symbols, no code for the end of the block, repeats without a previous length or past the end,
/// over-subscribed codes, and incomplete ones (except for a single code of one bit).
bool read_block_codes(bit_reader *reader, block_kind kind, block_codes *codes);

/// Returns the length of a stored block whose three header bits have been read, or −1 if its check value is wrong. The
/// reader is then at the block's first byte.
int read_stored_length(bit_reader *reader);

#endif
