#include "block_codes.h"

// The table entries of an alphabet's symbols (RFC 1951, 3.2.5). The bits to drop are only the extra bits here; those of
// the code are added when the table is made.
static const huffman_entry length_meanings[288] = {
    [0 ... 255] = huffman_literal, [256] = huffman_end, [257 ... 264] = 0, [265 ... 268] = 1, [269 ... 272] = 2,
    [273 ... 276] = 3, [277 ... 280] = 4, [281 ... 284] = 5, [285] = 0, [286 ... 287] = huffman_invalid};
static const huffman_entry distance_meanings[32] = {
    [0 ... 3] = 0, [4 ... 5] = 1, [6 ... 7] = 2, [8 ... 9] = 3, [10 ... 11] = 4, [12 ... 13] = 5, [14 ... 15] = 6,
    [16 ... 17] = 7, [18 ... 19] = 8, [20 ... 21] = 9, [22 ... 23] = 10, [24 ... 25] = 11, [26 ... 27] = 12,
    [28 ... 29] = 13, [30 ... 31] = huffman_invalid};

static uint32_t reversed(uint32_t code, int bits) { return __builtin_bitreverse32(code) >> (32 - bits); }

/// Sorts symbols in the order of their codes: by length, then by number. Symbols without a code come first.
static void sort_symbols(uint16_t *sorted, const uint8_t *lengths, int symbols, const int *counts) {
    int next[huffman_longest + 1] = {0};
    for (int bits = 1; bits <= huffman_longest; bits++) next[bits] = next[bits - 1] + counts[bits - 1];
    for (int symbol = 0; symbol < symbols; symbol++) sorted[next[lengths[symbol]]++] = (uint16_t)symbol;
}

/// Makes the decoding table of a canonical code (RFC 1951, 3.2.2): 2^index entries, followed by second tables. Returns
/// false for invalid lengths. With `allows_single`, a single code of one bit, or no code, is valid; unused entries are
/// invalid.
static bool make_table(
    huffman_entry *table, int index, const uint8_t *lengths, int symbols, const huffman_entry *meanings,
    bool allows_single) {
    int counts[huffman_longest + 1] = {0};
    for (int symbol = 0; symbol < symbols; symbol++) counts[lengths[symbol]]++;
    int longest = huffman_longest, free_codes = 1;
    while (longest > 0 && counts[longest] == 0) longest--;
    for (int bits = 1; bits <= huffman_longest; bits++) {
        free_codes = free_codes * 2 - counts[bits];
        if (free_codes < 0) return false; // over-subscribed
    }
    uint16_t sorted[288];
    sort_symbols(sorted, lengths, symbols, counts);
    const uint16_t *next = sorted + counts[0];
    size_t first_size = (size_t)1 << index;
    if (free_codes > 0) { // incomplete
        if (!allows_single || longest > 1) return false;
        for (size_t i = 0; i < first_size; i++) table[i] = huffman_invalid | 1;
        for (size_t i = 0; longest == 1 && i < first_size; i += 2) table[i] = meanings[*next] + 1;
        return true;
    }

    // The table for codes up to one length, repeated, is the table for the next length, except for the new codes.
    uint32_t code = 0;
    for (int bits = 1; bits <= index; bits++) {
        size_t half = (size_t)1 << (bits - 1);
        memcpy(table + half, table, half * sizeof *table);
        code <<= 1;
        for (int i = 0; i < counts[bits]; i++) table[reversed(code++, bits)] = meanings[*next++] + (huffman_entry)bits;
    }
    // Longer codes with the same prefix are consecutive. The first of them, whose other bits are zero, starts a second
    // table.
    int width = longest - index;
    size_t end = first_size;
    for (int bits = index + 1; bits <= longest; bits++) {
        code <<= 1;
        for (int i = 0; i < counts[bits]; i++) {
            uint32_t in_order = reversed(code++, bits), prefix = in_order & (uint32_t)(first_size - 1);
            if (in_order >> index == 0) {
                table[prefix] = huffman_second | (huffman_entry)end << 16 | (uint32_t)width << 8 | (uint32_t)index;
                end += (size_t)1 << width;
            }
            huffman_entry *second = table + (table[prefix] >> 16);
            huffman_entry entry = meanings[*next++] + (huffman_entry)(bits - index);
            for (size_t at = in_order >> index; at < (size_t)1 << width; at += (size_t)1 << (bits - index))
                second[at] = entry;
        }
    }
    return true;
}

const uint8_t code_length_order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

/// Reads the code lengths of a dynamic block (RFC 1951, 3.2.7).
static bool read_code_lengths(bit_reader *reader, uint8_t *lengths, int *literals, int *distances) {
    *literals = (int)read_bits(reader, 5) + 257;
    *distances = (int)read_bits(reader, 5) + 1;
    int given = (int)read_bits(reader, 4) + 4;
    if (*literals > 286 || *distances > 30) return false;
    uint8_t code_lengths[19] = {0};
    for (int i = 0; i < given; i++) code_lengths[code_length_order[i]] = (uint8_t)read_bits(reader, 3);
    huffman_entry meanings[19], table[1 << 7];
    for (huffman_entry symbol = 0; symbol < 19; symbol++) meanings[symbol] = huffman_literal | symbol << 16;
    if (!make_table(table, 7, code_lengths, 19, meanings, false)) return false;

    int total = *literals + *distances;
    for (int i = 0; i < total;) {
        huffman_entry entry = table[peek_bits(reader) & 127];
        reader->position += entry & 255;
        int symbol = (int)(entry >> 16);
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && i == 0) return false;
        uint8_t repeated = symbol == 16 ? lengths[i - 1] : 0;
        int times = symbol == 16   ? 3 + (int)read_bits(reader, 2)
                    : symbol == 17 ? 3 + (int)read_bits(reader, 3)
                                   : 11 + (int)read_bits(reader, 7);
        if (times > total - i) return false;
        memset(lengths + i, repeated, (size_t)times);
        i += times;
    }
    return lengths[256] != 0;
}

bool read_block_lengths(bit_reader *reader, block_kind kind, uint8_t *lengths, int *literals, int *distances) {
    if (kind != block_fixed) return read_code_lengths(reader, lengths, literals, distances);
    *literals = 288;
    *distances = 32;
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 256 - 144);
    memset(lengths + 256, 7, 280 - 256);
    memset(lengths + 280, 8, 288 - 280);
    memset(lengths + 288, 5, 32);
    return true;
}

bool read_block_codes(bit_reader *reader, block_kind kind, block_codes *codes) {
    uint8_t lengths[288 + 32];
    int literals, distances;
    if (!read_block_lengths(reader, kind, lengths, &literals, &distances)) return false;
    return make_table(codes->lengths, lengths_index, lengths, literals, length_meanings, true)
        && make_table(codes->distances, distances_index, lengths + literals, distances, distance_meanings, true);
}

int read_stored_length(bit_reader *reader) {
    reader->position = (reader->position + 7) / 8 * 8;
    uint32_t length = read_bits(reader, 16), check = read_bits(reader, 16);
    return (length ^ check) == 0xFFFF ? (int)length : -1;
}
