#ifndef ROW_MATCHES_H
#define ROW_MATCHES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Where the latest occurrences of byte strings are, to estimate how well a row deflates after the rows before it.
typedef struct texel_row_matches texel_row_matches;

/// Returns `NULL` if memory runs out. To be freed with `free`.
texel_row_matches *_Nullable texel_row_matches_make(void);

/// Estimates the deflated size of the row `bytes[begin ..< begin + count]`, in units of 1/256 bit, as literals and
/// matches with this row and the added ones.
///
/// - `literal_costs`: the costs of the 256 bytes in the same units.
uint64_t texel_row_matches_cost(
    texel_row_matches *matches, const uint8_t *bytes, size_t begin, size_t count, const uint32_t *literal_costs);

/// Adds a row that later ones may refer to. Rows are added in the order of `bytes`.
void texel_row_matches_add(texel_row_matches *matches, const uint8_t *bytes, size_t begin, size_t count);

#pragma clang assume_nonnull end

#endif
