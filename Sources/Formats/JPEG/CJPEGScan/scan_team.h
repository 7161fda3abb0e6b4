// Two threads on one scan.
//
// A Huffman code synchronises itself: a reader that begins anywhere soon reads the same symbols as one that began at
// the start (S. T. Klein and Y. Wiseman, Parallel Huffman Decoding with Applications to JPEG Files, The Computer
// Journal 46, 2003). The helper's thread begins at some distance, reads a chunk of MCUs, and notes where the first ones
// begin. The caller's thread reads up to there, and on, until one of its MCUs begins where one of the helper's did:
// from there on they read the same. It takes the helper's coefficients, adds the difference of the DC predictions,
// makes the samples, and continues where the chunk ends. If they do not meet, it continues without the chunk. In a scan
// with restart markers the helper begins after one, and they meet at once.
//
// What the helper reads depends on nothing but the bytes, and the caller's thread uses only what it would have read
// itself. So the samples do not depend on the time that the threads take.

#ifndef SCAN_TEAM_H
#define SCAN_TEAM_H

#include "scan_plan.h"

typedef struct scan_team scan_team;

/// Starts the helper's thread for a stream at the start of its scan. Returns NULL if the scan is too small or not yet
/// there as a whole, or if there is no memory or no thread. The arguments must live as long as the team.
scan_team *scan_team_create(const scan_plan *plan, const scan_loops *loops, scan_stream *stream);

/// Ends the helper's thread. NULL is allowed.
void scan_team_destroy(scan_team *team);

/// Decodes the next row.
texel_scan_status scan_team_decode_row(scan_team *team, const scan_output *output);

/// Moves the stream to the end of the last MCU.
texel_scan_status scan_team_finish(scan_team *team);

#endif
