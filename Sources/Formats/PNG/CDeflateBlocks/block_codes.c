#include "block_codes.h"

void count_token(symbol_counts *counts, deflate_token token) {
    if (token < 256) {
        counts->literals[token]++;
        return;
    }
    counts->literals[end_symbol + 1 + length_index(token >> 16)]++;
    counts->distances[distance_index(token & 0xFFFF)]++;
}

typedef struct {
    uint32_t count;
    uint16_t symbol;
} counted_symbol;

/// Sorts by count, then by symbol. A Shell sort: there are too few symbols for a radix sort to be faster.
static void sort_by_count(counted_symbol *symbols, int count) {
    for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < count; i++) {
            counted_symbol moved = symbols[i];
            int at = i;
            for (; at >= gap
                 && (symbols[at - gap].count > moved.count
                     || (symbols[at - gap].count == moved.count && symbols[at - gap].symbol > moved.symbol));
                 at -= gap)
                symbols[at] = symbols[at - gap];
            symbols[at] = moved;
        }
}

/// Computes the lengths of a Huffman code of at most `longest` bits. Symbols that do not occur get no code, except that
/// there are always at least two codes.
static void fit_code(uint8_t *lengths, const uint32_t *counts, int symbols, int longest) {
    counted_symbol used[literal_symbols];
    int count = 0;
    memset(lengths, 0, (size_t)symbols);
    for (int symbol = 0; symbol < symbols; symbol++)
        if (counts[symbol] > 0) used[count++] = (counted_symbol){counts[symbol], (uint16_t)symbol};
    if (count < 2) {
        // Some decoders require two codes.
        int only = count > 0 ? used[0].symbol : 0;
        lengths[only] = 1;
        lengths[only == 0 ? 1 : 0] = 1;
        return;
    }
    sort_by_count(used, count);
    // Two queues: leaves, and inner nodes in the order of creation, which is also the order of their counts.
    uint64_t weights[literal_symbols];
    uint16_t parents[2 * literal_symbols];
    int leaf = 0, node = 0;
    for (int made = 0; made < count - 1; made++) {
        uint64_t weight = 0;
        for (int child = 0; child < 2; child++) {
            bool takes_leaf = leaf < count && (node >= made || used[leaf].count <= weights[node]);
            weight += takes_leaf ? used[leaf].count : weights[node];
            parents[takes_leaf ? leaf++ : count + node++] = (uint16_t)(count + made);
        }
        weights[made] = weight;
    }
    uint8_t depths[2 * literal_symbols];
    int per_length[2 * literal_symbols] = {0};
    depths[2 * count - 2] = 0;
    for (int at = 2 * count - 3; at >= 0; at--) {
        depths[at] = depths[parents[at]] + 1;
        if (at < count) per_length[depths[at] < longest ? depths[at] : longest]++;
    }
    // Cutting codes to `longest` bits may make the code over-subscribed (`room` is its Kraft sum in 1/2^longest). Until
    // it fits, one of the longest shorter codes gets one bit more, and a code of `longest` bits becomes its neighbour.
    int room = 0;
    for (int bits = 1; bits <= longest; bits++) room += per_length[bits] << (longest - bits);
    while (room > 1 << longest) {
        int bits = longest - 1;
        while (per_length[bits] == 0) bits--;
        per_length[bits]--;
        per_length[bits + 1] += 2;
        per_length[longest]--;
        room--;
    }
    int at = 0;
    for (int bits = longest; bits > 0; bits--)
        for (int i = 0; i < per_length[bits]; i++) lengths[used[at++].symbol] = (uint8_t)bits;
}

/// Encodes the lengths of all codes with repeats (RFC 1951, 3.2.7).
static void make_instructions(fitted_codes *codes) {
    int total = codes->literals + codes->distances, count = 0;
    for (int at = 0; at < total;) {
        uint8_t length = codes->lengths[at];
        int run = 1;
        while (at + run < total && codes->lengths[at + run] == length) run++;
        at += run;
        if (length == 0) {
            for (; run >= 11; run -= run < 138 ? run : 138)
                codes->instructions[count++] = (uint16_t)(18 | ((run < 138 ? run : 138) - 11) << 8);
            if (run >= 3) {
                codes->instructions[count++] = (uint16_t)(17 | (run - 3) << 8);
                run = 0;
            }
        } else {
            codes->instructions[count++] = length;
            for (run--; run >= 3; run -= run < 6 ? run : 6)
                codes->instructions[count++] = (uint16_t)(16 | ((run < 6 ? run : 6) - 3) << 8);
        }
        while (run-- > 0) codes->instructions[count++] = length;
    }
    codes->instruction_count = count;
}

uint64_t fit_codes(const symbol_counts *counts, fitted_codes *codes) {
    symbol_counts with_end = *counts;
    with_end.literals[end_symbol] = 1;
    uint8_t distances[distance_symbols];
    fit_code(codes->lengths, with_end.literals, literal_symbols, huffman_longest);
    fit_code(distances, with_end.distances, distance_symbols, huffman_longest);
    uint64_t bits = 0;
    for (int symbol = 0; symbol < literal_symbols; symbol++)
        bits += (uint64_t)with_end.literals[symbol] * codes->lengths[symbol];
    for (int symbol = 0; symbol < distance_symbols; symbol++)
        bits += (uint64_t)with_end.distances[symbol] * distances[symbol];

    codes->literals = literal_symbols;
    while (codes->literals > 257 && codes->lengths[codes->literals - 1] == 0) codes->literals--;
    codes->distances = distance_symbols;
    while (codes->distances > 1 && distances[codes->distances - 1] == 0) codes->distances--;
    memcpy(codes->lengths + codes->literals, distances, (size_t)codes->distances);
    make_instructions(codes);
    uint32_t instruction_counts[19] = {0};
    for (int i = 0; i < codes->instruction_count; i++) instruction_counts[codes->instructions[i] & 255]++;
    fit_code(codes->instruction_lengths, instruction_counts, 19, 7);
    codes->given_instruction_lengths = 19;
    while (codes->given_instruction_lengths > 4
           && codes->instruction_lengths[code_length_order[codes->given_instruction_lengths - 1]] == 0)
        codes->given_instruction_lengths--;
    bits += 3 + 5 + 5 + 4 + 3 * (uint64_t)codes->given_instruction_lengths;
    static const uint8_t extra_bits[19] = {[16] = 2, [17] = 3, [18] = 7};
    for (int symbol = 0; symbol < 19; symbol++)
        bits += (uint64_t)instruction_counts[symbol] * (codes->instruction_lengths[symbol] + extra_bits[symbol]);
    return bits;
}

uint64_t fixed_block_bits(const symbol_counts *counts) {
    uint64_t bits = 3 + 7;
    for (int symbol = 0; symbol < literal_symbols; symbol++)
        bits += (uint64_t)counts->literals[symbol]
            * (uint64_t)(symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
    for (int symbol = 0; symbol < distance_symbols; symbol++) bits += (uint64_t)counts->distances[symbol] * 5;
    return bits;
}
