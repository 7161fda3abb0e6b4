#include "scan_plan.h"

#include <pixel_kernels.h>

const scan_loops *scan_loops_in_use(void) {
#if defined(__x86_64__)
    texel_cpu_level level = texel_cpu_level_in_use();
    if (level >= texel_cpu_v3) return &scan_loops_v3;
    if (level == texel_cpu_v2) return &scan_loops_v2;
#endif
    return &scan_loops_baseline;
}

static bool accepts(const texel_scan_component *component, int count) {
    if (component->width < 1 || component->height < 1) return false;
    int largest = count == 1 ? 1 : 2;
    if (component->horizontal < 1 || component->horizontal > largest) return false;
    if (component->vertical < 1 || component->vertical > largest) return false;
    if (component->dc_code < 0 || component->dc_code >= TEXEL_SCAN_TABLES) return false;
    if (component->ac_code < 0 || component->ac_code >= TEXEL_SCAN_TABLES) return false;
    switch (component->block_size) {
    case 0:
    case 1:
    case 2:
    case 4:
    case 8: return true;
    default: return false;
    }
}

/// Makes the tables that the components refer to.
static bool make_tables(scan_plan *plan) {
    const texel_scan_layout *layout = &plan->layout;
    for (int i = 0; i < TEXEL_SCAN_TABLES; i++) {
        bool needs_dc = false, needs_values = false, needs_lengths = false;
        for (int j = 0; j < layout->component_count; j++) {
            const texel_scan_component *component = &layout->components[j];
            needs_dc |= component->dc_code == i;
            needs_values |= component->ac_code == i && component->block_size > 1;
            needs_lengths |= component->ac_code == i && component->block_size <= 1;
        }
        if (needs_dc && !dc_table_make(&plan->dc_tables[i], &layout->dc_codes[i])) return false;
        if (needs_values || needs_lengths) {
            if (!ac_table_make(&plan->ac_tables[i], &layout->ac_codes[i], needs_values, needs_lengths)) return false;
        }
    }
    return true;
}

/// Lists the blocks of an MCU, and the pairs in two of them.
static void list_blocks(scan_plan *plan) {
    const texel_scan_layout *layout = &plan->layout;
    plan->block_count = plan->pair_count = 0;
    for (int i = 0; i < layout->component_count; i++) {
        const texel_scan_component *component = &layout->components[i];
        for (int j = 0; j < component->horizontal * component->vertical; j++) {
            plan->readings[plan->block_count++] = (block_reading){
                .dc = &plan->dc_tables[component->dc_code],
                .ac = &plan->ac_tables[component->ac_code],
                .component = i,
                .limit = plan->steps[i].limits[0],
                .has_values = component->block_size > 1,
            };
        }
    }
    for (int i = 0, first = 0; i < layout->component_count; i++) {
        const texel_scan_component *component = &layout->components[i];
        int across = component->horizontal;
        for (int row = 0; component->block_size > 0 && row < component->vertical; row++) {
            for (int column = 0; column < 2 * across; column += 2) {
                int mcu = column / across, left = first + row * across + mcu * plan->block_count;
                plan->pairs[plan->pair_count++] = (block_pair){
                    .component = i,
                    .left = left,
                    .right = left + (across == 2 ? 1 : plan->block_count),
                    .column = column,
                    .row = row,
                    .spans_mcus = across == 1,
                    .is_in_second = mcu == 1,
                };
            }
        }
        first += across * component->vertical;
    }
}

bool scan_plan_make(scan_plan *plan, const texel_scan_layout *layout) {
    if (layout->component_count != 1 && layout->component_count != 3) return false;
    if (layout->mcus_per_row < 1 || layout->mcu_rows < 1 || layout->restart_interval < 0) return false;
    plan->layout = *layout;
    int blocks = 0;
    for (int i = 0; i < layout->component_count; i++) {
        const texel_scan_component *component = &layout->components[i];
        if (!accepts(component, layout->component_count)) return false;
        // The most that an MCU may have (ITU-T T.81, B.2.3), and for which there is room.
        blocks += component->horizontal * component->vertical;
        if (blocks > MCU_BLOCKS) return false;
        component_steps *steps = &plan->steps[i];
        for (int k = 0; k < 64; k++) {
            int step = component->steps[k];
            if (step == 0) return false;
            // With larger steps every coefficient but 0 is too large.
            steps->steps[k] = (int16_t)(step > LARGEST_COEFFICIENT ? 1 : step);
            steps->limits[k] = (int16_t)(LARGEST_COEFFICIENT / step);
        }
    }
    if (!make_tables(plan)) return false;
    list_blocks(plan);
    return true;
}
