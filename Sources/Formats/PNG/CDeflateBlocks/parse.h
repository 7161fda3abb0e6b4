#ifndef PARSE_H
#define PARSE_H

#include "block_codes.h"

/// Replaces the tokens of each block by others for the same bytes that take fewer bits, as far as such are found.
///
/// `ends` are the indices after the last token of each block, in increasing order. The tokens of a block are chosen
/// with the costs of its own symbols (dynamic programming from its end to its start), which changes the costs: this is
/// repeated at most `most_passes` times each from two starts, the given tokens and literals only. The second avoids
/// short matches that only seem to pay because the codes of literals have become long.
///
/// If `uses_thread` is set, a thread of its own finds the matches ahead; the tokens do not depend on it.
///
/// Returns false, with unchanged tokens, if a distance is too far or memory runs out.
bool reparse(token_list *list, const size_t *ends, size_t block_count, int most_passes, bool uses_thread);

#endif
