// How the MCUs of a scan are read and written. It does not change while they are.

#ifndef SCAN_PLAN_H
#define SCAN_PLAN_H

#include "scan_block.h"
#include "scan_codes.h"
#include "scan_stream.h"

enum { MCU_BLOCKS = TEXEL_COEFFICIENT_BLOCKS };

/// How to read a block of an MCU.
typedef struct {
    const dc_table *dc;
    const ac_table *ac;
    int component;
    int limit;       ///< the largest DC coefficient
    bool has_values; ///< whether the AC coefficients matter
} block_reading;

/// Two blocks in two adjacent MCUs that are side by side in their component.
typedef struct {
    int component;
    int left, right;   ///< indices into the blocks of both MCUs
    int column, row;   ///< of the left block, from the first one of the component in these MCUs
    bool spans_mcus;   ///< the right block is in the second MCU
    bool is_in_second; ///< both are
} block_pair;

typedef struct {
    texel_scan_layout layout;
    component_steps steps[TEXEL_SCAN_COMPONENTS];
    block_reading readings[MCU_BLOCKS];
    block_pair pairs[MCU_BLOCKS]; ///< of the components with samples
    int block_count, pair_count;
    dc_table dc_tables[TEXEL_SCAN_TABLES];
    ac_table ac_tables[TEXEL_SCAN_TABLES];
} scan_plan;

/// Makes a plan. Returns false for a layout that is not accepted.
bool scan_plan_make(scan_plan *plan, const texel_scan_layout *layout);

/// Where the samples of a row of MCUs go.
typedef struct {
    int row; ///< of MCUs
    uint8_t *const *samples;
    const size_t *bytes_per_row;
} scan_output;

/// The loops that are compiled for each CPU level. They return `TEXEL_SCAN_REFUSED` for damage.
typedef struct {
    unstuffing *copy;
    /// Reads the coefficients of up to `count` MCUs, and sets how many it read: fewer after one with which the window
    /// was closed, because the data may end before the next. DC coefficients are not checked.
    texel_scan_status (*read)(const scan_plan *plan, scan_stream *stream, scan_block *blocks, int *count);
    /// Writes the samples of `count` MCUs, whose DC coefficients were checked, and of which the first is the MCU `x` of
    /// the row.
    texel_scan_status (*write)(const scan_plan *plan, const scan_block *blocks, const scan_output *output, int x,
                               int count);
    /// Reads and writes `count` MCUs.
    texel_scan_status (*decode)(const scan_plan *plan, scan_stream *stream, const scan_output *output, int x,
                                int count);
} scan_loops;

/// Returns those of the CPU level in use.
const scan_loops *scan_loops_in_use(void);

extern const scan_loops scan_loops_baseline;
#if defined(__x86_64__)
extern const scan_loops scan_loops_v2, scan_loops_v3;
#endif

#endif
