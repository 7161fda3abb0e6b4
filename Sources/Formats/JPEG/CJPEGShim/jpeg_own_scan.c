#include "jpeg_own_scan.h"

#include <string.h>

#include "jpeg_block_size.h"

// The controller that hands out samples is not part of libjpeg's interface for programs. Where the header with it is
// not installed, libjpeg decodes everything.
#if __has_include(<jpegint.h>)
#include <jpegint.h>

/// libjpeg is faster for fewer blocks.
enum { FEWEST_BLOCKS = 500 };

/// Lets libjpeg continue after the scan.
static void finish_scan(jpeg_own_scan *scan, j_decompress_ptr cinfo) {
    size_t end = 0;
    jpeg_own_check(cinfo, texel_scan_decoder_finish(scan->decoder, &end));
    jpeg_own_input_close(&scan->input, cinfo, end);
    (*cinfo->inputctl->finish_input_pass)(cinfo);
}

/// Returns the distance of a component's rows if it is always the same, or else 0.
static size_t distance_of_rows(JSAMPARRAY rows, int count) {
    if (count == 1) return 1;
    ptrdiff_t distance = rows[1] - rows[0];
    for (int y = 2; y < count; y++) {
        if (rows[y] - rows[y - 1] != distance) return 0;
    }
    return distance > 0 ? (size_t)distance : 0;
}

/// Replaces the method of libjpeg's coefficient controller that makes the samples of a row of interleaved MCUs.
static int decompress_row(j_decompress_ptr cinfo, JSAMPIMAGE output) {
    jpeg_own_scan *scan = ((jpeg_client *)cinfo->client_data)->scan;
    for (int i = 0; i < scan->rows_per_call; i++) {
        // A single component's last row may have fewer rows of blocks.
        const jpeg_component_info *first = &cinfo->comp_info[0];
        JDIMENSION row = cinfo->input_iMCU_row * (JDIMENSION)scan->rows_per_call + (JDIMENSION)i;
        if (scan->rows_per_call > 1 && row >= first->height_in_blocks) break;
        uint8_t *rows[TEXEL_SCAN_COMPONENTS] = {NULL};
        size_t bytes_per_row[TEXEL_SCAN_COMPONENTS] = {0};
        int heights[TEXEL_SCAN_COMPONENTS] = {0};
        bool is_copied[TEXEL_SCAN_COMPONENTS] = {false};
        for (int j = 0; j < cinfo->num_components; j++) {
            const jpeg_component_info *component = &cinfo->comp_info[j];
            if (!component->component_needed) continue;
            int size = BLOCK_HEIGHT(component);
            heights[j] = cinfo->num_components == 1 ? size : size * component->v_samp_factor;
            rows[j] = output[j][i * size];
            bytes_per_row[j] = distance_of_rows(output[j] + i * size, heights[j]);
            // libjpeg's own buffers have their rows in another order where an upsampler needs the rows around them.
            if (bytes_per_row[j] > 0) continue;
            is_copied[j] = true;
            bytes_per_row[j] = (size_t)component->width_in_blocks * (size_t)BLOCK_WIDTH(component);
            rows[j] = scan->bands[j];
        }
        jpeg_own_check(cinfo, texel_scan_decoder_read_row(scan->decoder, rows, bytes_per_row));
        for (int j = 0; j < cinfo->num_components; j++) {
            for (int y = 0; is_copied[j] && y < heights[j]; y++) {
                memcpy(output[j][i * heights[j] + y], rows[j] + (size_t)y * bytes_per_row[j], bytes_per_row[j]);
            }
        }
    }
    bool is_last = cinfo->input_iMCU_row + 1 == cinfo->total_iMCU_rows;
    // Before the counters change: after a refusal they say how many rows were made.
    if (is_last) finish_scan(scan, cinfo);
    cinfo->input_iMCU_row++;
    cinfo->output_iMCU_row++;
    return is_last ? JPEG_SCAN_COMPLETED : JPEG_ROW_COMPLETED;
}

/// Describes the scan. Returns false if the decoder does not accept it.
static bool describe(j_decompress_ptr cinfo, texel_scan_layout *layout) {
    if (jpeg_has_multiple_scans(cinfo) || cinfo->arith_code || cinfo->data_precision != 8) return false;
    if (cinfo->num_components != 1 && cinfo->num_components != 3) return false;
    if (cinfo->dct_method != JDCT_ISLOW || cinfo->unread_marker != 0) return false;
    bool is_single = cinfo->num_components == 1;
    *layout = (texel_scan_layout){.component_count = cinfo->num_components,
                                  .restart_interval = (int)cinfo->restart_interval};
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        if (cinfo->cur_comp_info[i] != component || !component->quant_table) return false;
        if (BLOCK_WIDTH(component) != BLOCK_HEIGHT(component)) return false;
        layout->components[i] = (texel_scan_component){
            .width = (int)component->width_in_blocks,
            .height = (int)component->height_in_blocks,
            .horizontal = is_single ? 1 : component->h_samp_factor,
            .vertical = is_single ? 1 : component->v_samp_factor,
            .block_size = component->component_needed ? BLOCK_WIDTH(component) : 0,
            .dc_code = component->dc_tbl_no,
            .ac_code = component->ac_tbl_no,
            .steps = component->quant_table->quantval,
        };
    }
    const jpeg_component_info *first = &cinfo->comp_info[0];
    layout->mcus_per_row = (int)(is_single ? first->width_in_blocks : cinfo->MCUs_per_row);
    layout->mcu_rows = (int)(is_single ? first->height_in_blocks : cinfo->total_iMCU_rows);
    for (int i = 0; i < TEXEL_SCAN_TABLES; i++) {
        layout->dc_codes[i] = jpeg_own_code(cinfo->dc_huff_tbl_ptrs[i]);
        layout->ac_codes[i] = jpeg_own_code(cinfo->ac_huff_tbl_ptrs[i]);
    }
    return true;
}

void jpeg_own_scan_connect(jpeg_own_scan *scan, j_decompress_ptr cinfo, jpeg_source *source) {
    texel_scan_layout layout;
    if (!describe(cinfo, &layout) || (!scan->allows_small && jpeg_own_block_count(cinfo) < FEWEST_BLOCKS)) return;
    texel_scan_input input;
    if (!jpeg_own_input_open(&scan->input, cinfo, source, &input)) return;
    scan->rows_per_call = cinfo->num_components == 1 ? cinfo->comp_info[0].v_samp_factor : 1;
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        size_t rows = (size_t)(BLOCK_HEIGHT(component) * component->v_samp_factor);
        scan->bands[i] = (*cinfo->mem->alloc_large)(
            (j_common_ptr)cinfo, JPOOL_IMAGE, rows * component->width_in_blocks * (size_t)BLOCK_WIDTH(component));
    }
    texel_scan_status status;
    scan->decoder = texel_scan_decoder_create(&layout, &input, scan->threads, &status);
    if (status == TEXEL_SCAN_STOPPED) jpeg_own_check(cinfo, status);
    // If it is refused, libjpeg decodes the scan, of which nothing was read yet.
    if (!scan->decoder) return;
    cinfo->coef->decompress_data = decompress_row;
}

void jpeg_own_scan_disconnect(jpeg_own_scan *scan) {
    texel_scan_decoder_destroy(scan->decoder);
    *scan = (jpeg_own_scan){0};
}

#else

void jpeg_own_scan_connect(jpeg_own_scan *scan, j_decompress_ptr cinfo, jpeg_source *source) {
    (void)scan;
    (void)cinfo;
    (void)source;
}

void jpeg_own_scan_disconnect(jpeg_own_scan *scan) { (void)scan; }

#endif
