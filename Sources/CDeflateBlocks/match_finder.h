#ifndef MATCH_FINDER_H
#define MATCH_FINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds earlier occurrences of bytes: chains of the positions with equal hashes, the latest first.

enum { shortest_match = 3, longest_match = 258, window_size = 1 << 15 };

typedef struct {
    uint16_t length, distance;
} match;

/// The most matches that are found at one position.
enum { most_matches = 24 };

typedef struct match_finder match_finder;

/// Returns `NULL` if memory runs out. Free it with `free`.
match_finder *make_match_finder(void);

/// Adds a position; positions must be added in order. The three bytes after it must be readable.
void add_position(match_finder *finder, const uint8_t *bytes, size_t position);

/// Finds matches of increasing lengths, each at the smallest distance that was found, and adds the position.
///
/// The bytes up to `end` must be readable, and at least four from `position`. Returns the number of matches.
int find_matches(match_finder *finder, const uint8_t *bytes, size_t position, size_t end, match *matches);

#endif
