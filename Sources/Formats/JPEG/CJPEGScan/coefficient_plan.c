#include "coefficient_plan.h"

#include <pixel_kernels.h>

read_coefficient_row *const *coefficient_rows_in_use(void) {
#if defined(__x86_64__)
    if (texel_cpu_level_in_use() >= texel_cpu_v4) return coefficient_rows_v4;
#endif
    return coefficient_rows_baseline;
}

static bool is_index(int code) { return code >= 0 && code < TEXEL_SCAN_TABLES; }

static bool is_factor(int factor) { return factor >= 1 && factor <= 4; }

/// Returns the kind of a progressive scan, or `SCAN_KIND_COUNT` if its parameters are not allowed.
static coefficient_scan_kind progressive_kind(const texel_coefficient_scan *scan) {
    bool is_refinement = scan->high_bit != 0;
    if (scan->low_bit < 0 || scan->low_bit > 13) return SCAN_KIND_COUNT;
    if (is_refinement && scan->high_bit != scan->low_bit + 1) return SCAN_KIND_COUNT;
    if (scan->first == 0 && scan->last == 0) return is_refinement ? SCAN_DC_REFINEMENT : SCAN_DC_FIRST;
    bool is_band = scan->first >= 1 && scan->first <= scan->last && scan->last <= 63;
    if (!is_band || scan->component_count != 1) return SCAN_KIND_COUNT;
    return is_refinement ? SCAN_AC_REFINEMENT : SCAN_AC_FIRST;
}

/// Makes the tables that the components refer to.
static bool make_tables(coefficient_plan *plan) {
    const texel_coefficient_scan *scan = &plan->scan;
    bool needs_dc = plan->kind == SCAN_SEQUENTIAL || plan->kind == SCAN_DC_FIRST;
    bool is_made_dc[TEXEL_SCAN_TABLES] = {false}, is_made_ac[TEXEL_SCAN_TABLES] = {false};
    for (int i = 0; i < scan->component_count; i++) {
        int dc = scan->components[i].dc_code, ac = scan->components[i].ac_code;
        if (needs_dc && !is_made_dc[dc] && !dc_table_make(&plan->dc_tables[dc], &scan->dc_codes[dc])) return false;
        is_made_dc[dc] = true;
        if (plan->kind != SCAN_SEQUENTIAL || is_made_ac[ac]) continue;
        if (!ac_table_make(&plan->ac_tables[ac], &scan->ac_codes[ac], true, false)) return false;
        is_made_ac[ac] = true;
    }
    if (plan->kind != SCAN_AC_FIRST && plan->kind != SCAN_AC_REFINEMENT) return true;
    return progression_table_make(&plan->progression, &scan->ac_codes[scan->components[0].ac_code], scan->low_bit,
                                  plan->kind == SCAN_AC_REFINEMENT);
}

bool coefficient_plan_make(coefficient_plan *plan, const texel_coefficient_scan *scan) {
    if (scan->component_count < 1 || scan->component_count > TEXEL_COEFFICIENT_COMPONENTS) return false;
    if (scan->mcus_per_row < 1 || scan->restart_interval < 0) return false;
    plan->scan = *scan;
    plan->kind = scan->is_progressive ? progressive_kind(scan) : SCAN_SEQUENTIAL;
    if (plan->kind == SCAN_KIND_COUNT) return false;
    plan->band = 0;
    for (int k = scan->first; scan->is_progressive && k <= scan->last; k++) plan->band |= 1ull << k;
    plan->block_count = 0;
    int row = 0;
    for (int i = 0; i < scan->component_count; i++) {
        const texel_coefficient_component *component = &scan->components[i];
        if (!is_factor(component->horizontal) || !is_factor(component->vertical)) return false;
        if (!is_index(component->dc_code) || !is_index(component->ac_code)) return false;
        int count = component->horizontal * component->vertical;
        if (plan->block_count + count > TEXEL_COEFFICIENT_BLOCKS) return false;
        for (int j = 0; j < count; j++) {
            plan->places[plan->block_count++] = (block_place){
                .component = i,
                .row = row + j / component->horizontal,
                .column = j % component->horizontal,
                .horizontal = component->horizontal,
            };
        }
        row += component->vertical;
    }
    return make_tables(plan);
}
