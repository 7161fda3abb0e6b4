// The loops that choose JPEG's quantised coefficients. Included by kernel_loops.h after dct_loops.h, once per CPU
// level.
//
// Sums of floats are computed in the order in which they are written and never contracted, so the results are equal at
// every level.

typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef _Bool bx16 __attribute__((ext_vector_type(16)));
typedef _Bool bx32 __attribute__((ext_vector_type(32)));

/// The index in a block, stored row by row, of each coefficient in zigzag order (ITU-T T.81, figure 5).
static const uint8_t LEVEL_NAME(zigzag_places)[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/// Rearranges a block into zigzag order.
HELPER void load_zigzag(i16x32 *low, i16x32 *high, const int16_t *block) {
    i16x32 upper, lower;
    memcpy(&upper, block, sizeof upper);
    memcpy(&lower, block + 32, sizeof lower);
    *low = __builtin_shufflevector(
        upper, lower, 0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
        13, 6, 7, 14, 21, 28);
    *high = __builtin_shufflevector(
        upper, lower, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
        53, 60, 61, 54, 47, 55, 62, 63);
}

/// Returns a bit for each of 32 comparisons that are true.
HELPER uint64_t true_bits(i16x32 comparisons) {
    bx32 are_true = CONVERT(comparisons != 0, bx32);
    uint32_t bits;
    memcpy(&bits, &are_true, sizeof bits);
    return bits;
}

static void LEVEL_NAME(coefficient_masks)(uint64_t *masks, const int16_t *block) {
    i16x32 low, high;
    load_zigzag(&low, &high, block);
    // The DC coefficient has no bit.
    low[0] = 0;
    for (int level = 0; level < 4; level++) {
        // Both signs are compared, because -32,768 has no magnitude in 16 bits.
        int16_t least = (int16_t)(1 << level);
        masks[level] = true_bits((low >= least) | (low <= (int16_t)-least))
            | true_bits((high >= least) | (high <= (int16_t)-least)) << 32;
    }
}

static void LEVEL_NAME(saturated_samples)(uint64_t *masks, const int16_t *samples, int16_t white, int16_t black) {
    i16x32 upper, lower;
    memcpy(&upper, samples, sizeof upper);
    memcpy(&lower, samples + 32, sizeof lower);
    masks[0] = true_bits(upper >= white) | true_bits(lower >= white) << 32;
    masks[1] = true_bits(upper <= black) | true_bits(lower <= black) << 32;
}

/// The decoded coefficients of one row of a block.
HELPER f32x8 dequantized_row(const int16_t *quantized, const float *steps) {
    i16x8 words;
    f32x8 factors;
    memcpy(&words, quantized, sizeof words);
    memcpy(&factors, steps, sizeof factors);
    return CONVERT(words, f32x8) * factors;
}

/// The coefficients of one row of a block, from units of 1/16.
HELPER f32x8 coefficient_row(const int16_t *coefficients) {
    i16x8 words;
    memcpy(&words, coefficients, sizeof words);
    return CONVERT(words, f32x8) * 0.0625f;
}

static void LEVEL_NAME(rounding_errors)(
    float *sums, const int16_t *coefficients, const int16_t *quantized, const float *steps) {
    f32x8 total = 0;
    for (int row = 0; row < 64; row += 8) {
        f32x8 error = coefficient_row(coefficients + row) - dequantized_row(quantized + row, steps + row);
        total += error * error;
    }
    memcpy(sums, &total, sizeof total);
}

static void LEVEL_NAME(masking_sums)(
    float *sums, const int16_t *coefficients, const int16_t *quantized, const float *steps, const float *response) {
    f32x8 across, lost = 0, present = 0, lost_coarse = 0, present_coarse = 0;
    memcpy(&across, response, sizeof across);
    for (int row = 0; row < 8; row++) {
        f32x8 original = coefficient_row(coefficients + row * 8);
        f32x8 result = dequantized_row(quantized + row * 8, steps + row * 8);
        if (row == 0) original[0] = result[0] = 0;
        f32x8 error = original - result;
        f32x8 errors = error * error, squares = original * original + result * result;
        lost += errors;
        present += squares;
        if (response[row] > 0) {
            lost_coarse += errors * across * response[row];
            present_coarse += squares * across * response[row];
        }
    }
    memcpy(sums, &lost, sizeof lost);
    memcpy(sums + 8, &present, sizeof present);
    memcpy(sums + 16, &lost_coarse, sizeof lost_coarse);
    memcpy(sums + 24, &present_coarse, sizeof present_coarse);
}

/// What a block's coefficients cost, in zigzag order. Costs are in bits.
typedef struct {
    int16_t words[64];    ///< the coefficients before quantisation
    float magnitudes[64]; ///< in steps
    float weights[64];    ///< of squared errors of one step
    float near[64];       ///< the error's cost for the nearest value
    float smaller[64];    ///< the error's cost for the next smaller value
    int32_t values[64];   ///< the magnitudes of the nearest values
    uint64_t candidates; ///< a bit for each coefficient that may be nonzero
    /// If there are candidates, the cost of setting all coefficients from the first one to this one, exclusive, to
    /// zero.
    float zero_before[65];
} LEVEL_NAME(block_costs);

HELPER void measure_costs(
    LEVEL_NAME(block_costs) *costs, const int16_t *block, float fine, float coarse, const texel_trellis *trellis) {
    i16x32 low, high;
    load_zigzag(&low, &high, block);
    memcpy(costs->words, &low, sizeof low);
    memcpy(costs->words + 32, &high, sizeof high);
    float squares[64];
    costs->candidates = 0;
    for (int k = 0; k < 64; k += 16) {
        i16x16 words;
        f32x16 inverses, fine_shares, coarse_shares;
        memcpy(&words, costs->words + k, sizeof words);
        memcpy(&inverses, trellis->inverses + k, sizeof inverses);
        memcpy(&fine_shares, trellis->fine + k, sizeof fine_shares);
        memcpy(&coarse_shares, trellis->coarse + k, sizeof coarse_shares);
        f32x16 magnitudes = CONVERT(__builtin_elementwise_abs(CONVERT(words, i32x16)), f32x16) * inverses;
        f32x16 weights = fine_shares * fine + coarse_shares * coarse;
        i32x16 values = __builtin_elementwise_min(CONVERT(magnitudes + 0.5f, i32x16), (i32x16)(1023));
        f32x16 errors = magnitudes - CONVERT(values, f32x16);
        f32x16 near = errors * errors * weights, smaller = (errors + 1) * (errors + 1) * weights;
        f32x16 zero = magnitudes * magnitudes * weights;
        bx16 are_candidates = CONVERT(magnitudes >= 0.5f, bx16);
        uint16_t bits;
        memcpy(&bits, &are_candidates, sizeof bits);
        costs->candidates |= (uint64_t)bits << k;
        memcpy(costs->magnitudes + k, &magnitudes, sizeof magnitudes);
        memcpy(costs->weights + k, &weights, sizeof weights);
        memcpy(costs->near + k, &near, sizeof near);
        memcpy(costs->smaller + k, &smaller, sizeof smaller);
        memcpy(costs->values + k, &values, sizeof values);
        memcpy(squares + k, &zero, sizeof zero);
    }
    if (!costs->candidates) return;
    float sum = 0;
    for (int k = trellis->first; k < 64; k++) {
        costs->zero_before[k] = sum;
        sum += squares[k];
    }
    costs->zero_before[64] = sum;
}

/// The number of bits of a magnitude (ITU-T T.81, table F.1).
HELPER int category_of(int32_t value) { return value ? 32 - __builtin_clz((unsigned)value) : 0; }

/// Returns the magnitude of a coefficient that has a scan of its own.
HELPER int32_t value_alone(const LEVEL_NAME(block_costs) *costs, int k, const texel_trellis *trellis) {
    if (!(costs->candidates >> k & 1)) return 0;
    const float *rates = trellis->alone + (k - 1) * 12;
    int32_t nearest = costs->values[k], choices[3] = {0, nearest - 1, nearest}, best = 0;
    float best_cost = __builtin_inff();
    for (int choice = 0; choice < 3; choice++) {
        float error = costs->magnitudes[k] - (float)choices[choice];
        float cost = error * error * costs->weights[k] + rates[category_of(choices[choice])];
        if (cost < best_cost) {
            best_cost = cost;
            best = choices[choice];
        }
    }
    return best;
}

/// The best paths to each candidate; the first element stands for the start of the block.
typedef struct {
    int32_t places[64], values[64], previous[64];
    float costs[64]; ///< less the cost of setting all coefficients up to the candidate to zero
    float least[64]; ///< the least of the costs so far
} LEVEL_NAME(block_paths);

/// Finds the best path that ends with coefficient `k`.
HELPER void find_path(
    LEVEL_NAME(block_paths) *paths, int index, int k, const LEVEL_NAME(block_costs) *block,
        const texel_trellis *trellis) {
    int32_t value = block->values[k], best_value = value;
    float zero_before = block->zero_before[k], near = block->near[k];
    float smaller = value > 1 ? block->smaller[k] : __builtin_inff();
    const float *near_rates = trellis->symbols + category_of(value);
    const float *smaller_rates = trellis->symbols + category_of(value - 1);
    float least_error = near < smaller ? near : smaller, least_rate = trellis->least_rates[category_of(value)];
    float best = __builtin_inff();
    int best_previous = 0;
    for (int previous = index - 1; previous >= 0; previous--) {
        // No earlier path can be better. Rounding is monotonic, so this is as exact as computing their costs.
        if (paths->least[previous] + zero_before + least_error + least_rate >= best) break;
        int run = k - paths->places[previous] - 1;
        float start = paths->costs[previous] + zero_before;
        // Sixteen zeros are a symbol of their own (ZRL).
        if (run > 15) start += (float)(run >> 4) * trellis->symbols[0xF0];
        int symbol = (run & 15) << 4;
        float near_cost = start + near + near_rates[symbol], smaller_cost = start + smaller + smaller_rates[symbol];
        if (near_cost < best) {
            best = near_cost;
            best_previous = previous;
            best_value = value;
        }
        if (smaller_cost < best) {
            best = smaller_cost;
            best_previous = previous;
            best_value = value - 1;
        }
    }
    float cost = best - block->zero_before[k + 1], least = paths->least[index - 1];
    paths->places[index] = k;
    paths->values[index] = best_value;
    paths->previous[index] = best_previous;
    paths->costs[index] = cost;
    paths->least[index] = cost < least ? cost : least;
}

/// Writes the magnitude `value` with the sign of the coefficient before quantisation.
HELPER void store_value(int16_t *block, const LEVEL_NAME(block_costs) *costs, int k, int32_t value) {
    int32_t sign = costs->words[k] >> 15;
    block[LEVEL_NAME(zigzag_places)[k]] = (int16_t)((value ^ sign) - sign);
}

HELPER void trellis_block(int16_t *block, float fine, float coarse, const texel_trellis *trellis) {
    LEVEL_NAME(block_costs) costs;
    LEVEL_NAME(block_paths) paths;
    measure_costs(&costs, block, fine, coarse, trellis);
    memset(block + 1, 0, 63 * sizeof *block);
    if (!costs.candidates) return;
    for (int k = 1; k < trellis->first; k++) store_value(block, &costs, k, value_alone(&costs, k, trellis));
    paths.places[0] = trellis->first - 1;
    paths.costs[0] = paths.least[0] = 0;
    int count = 1;
    for (uint64_t rest = costs.candidates >> trellis->first << trellis->first; rest; rest &= rest - 1)
        find_path(&paths, count++, __builtin_ctzll(rest), &costs, trellis);
    // Choose the last nonzero coefficient; the candidates after it become zero.
    float zero = costs.zero_before[64], best_cost = zero + trellis->empty_end;
    int best = 0;
    for (int index = 1; index < count; index++) {
        float cost = paths.costs[index] + zero + (paths.places[index] < 63 ? trellis->end : 0);
        if (cost < best_cost) {
            best_cost = cost;
            best = index;
        }
    }
    for (; best > 0; best = paths.previous[best]) store_value(block, &costs, paths.places[best], paths.values[best]);
}

static void LEVEL_NAME(trellis_row)(int16_t *blocks, size_t count, const float *weights, const texel_trellis *trellis) {
    for (size_t block = 0; block < count; block++) {
        float fine = weights ? weights[block * 2] : 1, coarse = weights ? weights[block * 2 + 1] : 0;
        trellis_block(blocks + block * 64, fine * trellis->per_square, coarse * trellis->per_square, trellis);
    }
}

/// Returns one of three choices for a DC coefficient.
HELPER int32_t mean_choice(int32_t nearest, int choice) {
    int32_t value = nearest + choice - 1;
    return value < -1023 ? -1023 : value > 1023 ? 1023 : value;
}

/// Returns the nearest whole number; halves are rounded up.
HELPER int32_t nearest_mean(float mean) {
    int32_t whole = (int32_t)(mean + 0.5f);
    return whole - ((float)whole > mean + 0.5f);
}

static void LEVEL_NAME(trellis_means)(
    int16_t *blocks, size_t count, uint8_t *previous, int before, const texel_mean_trellis *trellis) {
    float costs[3] = {0, 0, 0};
    int32_t last[3] = {before, before, before};
    for (size_t block = 0; block < count; block++) {
        float mean = (float)blocks[block * 64] * trellis->inverse, next[3];
        int32_t nearest = nearest_mean(mean), values[3];
        for (int choice = 0; choice < 3; choice++) {
            int32_t value = values[choice] = mean_choice(nearest, choice);
            float best = __builtin_inff();
            for (int other = 0; other < (block ? 3 : 1); other++) {
                int32_t difference = value < last[other] ? last[other] - value : value - last[other];
                float cost = costs[other] + trellis->rates[category_of(difference)];
                if (cost < best) {
                    best = cost;
                    previous[block * 3 + (size_t)choice] = (uint8_t)other;
                }
            }
            float error = mean - (float)value;
            next[choice] = best + error * error * trellis->per_square;
        }
        memcpy(costs, next, sizeof costs);
        memcpy(last, values, sizeof last);
    }
    int choice = costs[1] < costs[0] ? 1 : 0;
    if (costs[2] < costs[choice]) choice = 2;
    for (size_t block = count; block-- > 0;) {
        int32_t nearest = nearest_mean((float)blocks[block * 64] * trellis->inverse);
        blocks[block * 64] = (int16_t)mean_choice(nearest, choice);
        choice = previous[block * 3 + (size_t)choice];
    }
}

#define TRELLIS_KERNELS { \
    .coefficient_masks = LEVEL_NAME(coefficient_masks), \
    .rounding_errors = LEVEL_NAME(rounding_errors), \
    .masking_sums = LEVEL_NAME(masking_sums), \
    .trellis_row = LEVEL_NAME(trellis_row), \
    .trellis_means = LEVEL_NAME(trellis_means), \
    .saturated_samples = LEVEL_NAME(saturated_samples), \
}
