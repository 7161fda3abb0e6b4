// How the MCUs of a scan are read to coefficients. It does not change while they are.

#ifndef COEFFICIENT_PLAN_H
#define COEFFICIENT_PLAN_H

#include "jpeg_coefficients.h"
#include "progression_codes.h"
#include "scan_stream.h"

typedef enum {
    SCAN_SEQUENTIAL,
    SCAN_DC_FIRST,
    SCAN_DC_REFINEMENT,
    SCAN_AC_FIRST,
    SCAN_AC_REFINEMENT,
    SCAN_KIND_COUNT,
} coefficient_scan_kind;

/// The place of a block in an MCU.
typedef struct {
    int component;
    int row;        ///< in the rows of blocks of all components
    int column;     ///< in the MCU
    int horizontal; ///< the blocks of its row in an MCU
} block_place;

typedef struct {
    texel_coefficient_scan scan;
    coefficient_scan_kind kind;
    block_place places[TEXEL_COEFFICIENT_BLOCKS];
    int block_count;
    uint64_t band; ///< a bit for each coefficient of the scan, in zigzag order
    dc_table dc_tables[TEXEL_SCAN_TABLES];
    ac_table ac_tables[TEXEL_SCAN_TABLES]; ///< of a sequential scan
    progression_table progression;         ///< of a progressive scan of AC coefficients
} coefficient_plan;

/// Makes a plan. Returns false for a scan that is not accepted.
bool coefficient_plan_make(coefficient_plan *plan, const texel_coefficient_scan *scan);

/// Reads a row of MCUs. Returns `TEXEL_SCAN_REFUSED` for damage.
typedef texel_scan_status read_coefficient_row(const coefficient_plan *plan, scan_stream *stream,
                                               const texel_block_row *rows);

/// Returns the functions of the CPU level in use, one for each kind of scan.
read_coefficient_row *const *coefficient_rows_in_use(void);

extern read_coefficient_row *const coefficient_rows_baseline[SCAN_KIND_COUNT];
#if defined(__x86_64__)
extern read_coefficient_row *const coefficient_rows_v4[SCAN_KIND_COUNT];
#endif

#endif
