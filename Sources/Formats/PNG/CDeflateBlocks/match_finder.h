#ifndef MATCH_FINDER_H
#define MATCH_FINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds earlier occurrences of bytes, with binary trees of positions.

enum { shortest_match = 3, longest_match = 258, window_size = 1 << 15 };

typedef struct {
    uint16_t length, distance;
} match;

/// The most matches that are found at one position.
enum { most_matches = 32 };

typedef struct match_finder match_finder;

/// Returns `NULL` if memory runs out. Free it with `free`.
match_finder *make_match_finder(void);

/// Finds matches of increasing lengths, each at the smallest distance that was found, and adds the position.
///
/// Positions must be searched in order, all with the same `end`, the end of the bytes; at least four follow each.
/// Returns the number of matches. Lengths below the last may be missing if there are too many.
int find_matches(match_finder *finder, const uint8_t *bytes, size_t position, size_t end, match *matches);

#endif
