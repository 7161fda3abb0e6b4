#include "jpeg_own_coefficients.h"

#include "jpeg_dc_arrays.h"

#include <stdlib.h>
#include <sys/mman.h>

// The controllers whose methods are replaced are not part of libjpeg's interface for programs. Where the header with
// them is not installed, and in versions that smooth blocks in another way, libjpeg decodes everything.
#if __has_include(<jpegint.h>) && LIBJPEG_TURBO_VERSION_NUMBER >= 2001000
#include <jpegint.h>

/// libjpeg is faster for fewer blocks. There are tables for each scan.
enum { FEWEST_BLOCKS = 2000 };

static jpeg_own_coefficients *own_of(j_decompress_ptr cinfo) {
    return ((jpeg_client *)cinfo->client_data)->coefficients;
}

// MARK: Scans

/// Returns whether a sequential file had a component of this scan in an earlier one. libjpeg mixes the coefficients of
/// both scans.
static bool repeats(jpeg_own_coefficients *own, j_decompress_ptr cinfo) {
    bool is_repeated = false;
    for (int i = 0; i < cinfo->comps_in_scan; i++) {
        bool *was_read = &own->was_read[cinfo->cur_comp_info[i]->component_index];
        is_repeated |= *was_read;
        *was_read = true;
    }
    return is_repeated && !cinfo->progressive_mode;
}

/// Allocates the bits of the component of a scan of AC coefficients. Returns false if memory runs out.
static bool has_bits(jpeg_own_coefficients *own, j_decompress_ptr cinfo) {
    if (!cinfo->progressive_mode || cinfo->Ss == 0) return true;
    const jpeg_component_info *component = cinfo->cur_comp_info[0];
    uint64_t **nonzero = &own->nonzero[component->component_index];
    if (!*nonzero) {
        *nonzero = calloc((size_t)component->width_in_blocks * component->height_in_blocks, sizeof **nonzero);
    }
    return *nonzero != NULL;
}

/// Begins the scan whose header was read. Returns false if the decoder does not accept it.
static bool begin_scan(jpeg_own_coefficients *own, j_decompress_ptr cinfo) {
    if (cinfo->data_precision != 8 || repeats(own, cinfo) || !has_bits(own, cinfo)) return false;
    texel_coefficient_scan scan = {
        .is_progressive = cinfo->progressive_mode,
        .first = cinfo->Ss,
        .last = cinfo->Se,
        .high_bit = cinfo->Ah,
        .low_bit = cinfo->Al,
        .component_count = cinfo->comps_in_scan,
        .mcus_per_row = (int)cinfo->MCUs_per_row,
        .restart_interval = (int)cinfo->restart_interval,
    };
    for (int i = 0; i < cinfo->comps_in_scan && i < TEXEL_COEFFICIENT_COMPONENTS; i++) {
        const jpeg_component_info *component = cinfo->cur_comp_info[i];
        scan.components[i] = (texel_coefficient_component){
            .horizontal = component->MCU_width,
            .vertical = component->MCU_height,
            .dc_code = component->dc_tbl_no,
            .ac_code = component->ac_tbl_no,
        };
    }
    for (int i = 0; i < TEXEL_SCAN_TABLES; i++) {
        scan.dc_codes[i] = jpeg_own_code(cinfo->dc_huff_tbl_ptrs[i]);
        scan.ac_codes[i] = jpeg_own_code(cinfo->ac_huff_tbl_ptrs[i]);
    }
    texel_scan_input input;
    if (!jpeg_own_input_open(&own->input, cinfo, own->source, &input)) return false;
    texel_scan_status status;
    own->decoder = texel_coefficient_decoder_create(&scan, &input, &status);
    if (status == TEXEL_SCAN_STOPPED) jpeg_own_check(cinfo, status);
    return own->decoder != NULL;
}

static void finish_scan(jpeg_own_coefficients *own, j_decompress_ptr cinfo) {
    size_t end = 0;
    jpeg_own_check(cinfo, texel_coefficient_decoder_finish(own->decoder, &end));
    texel_coefficient_decoder_destroy(own->decoder);
    own->decoder = NULL;
    jpeg_own_input_close(&own->input, cinfo, end);
    (*cinfo->inputctl->finish_input_pass)(cinfo);
}

/// Leaves this scan and all later ones to libjpeg. The bits of `nonzero` are no longer valid after this scan.
static int leave_to_libjpeg(jpeg_own_coefficients *own, j_decompress_ptr cinfo) {
    own->is_in_use = false;
    jpeg_source_divide(own->source, cinfo);
    cinfo->coef->consume_data = own->consume_data;
    cinfo->inputctl->consume_input = own->consume_data;
    return (*own->consume_data)(cinfo);
}

// MARK: Rows

/// Replaces the method of libjpeg's coefficient controller that reads a row of interleaved MCUs.
static int consume_row(j_decompress_ptr cinfo) {
    jpeg_own_coefficients *own = own_of(cinfo);
    if (!own->decoder && !begin_scan(own, cinfo)) return leave_to_libjpeg(own, cinfo);
    JDIMENSION row = cinfo->input_iMCU_row;
    bool is_last = row + 1 == cinfo->total_iMCU_rows;
    texel_block_row rows[TEXEL_COEFFICIENT_BLOCKS];
    int count = 0;
    for (int i = 0; i < cinfo->comps_in_scan; i++) {
        const jpeg_component_info *component = cinfo->cur_comp_info[i];
        // The array's height is a multiple of the sampling factor.
        JDIMENSION height = (JDIMENSION)component->v_samp_factor, first = row * height;
        JBLOCKARRAY blocks = (*cinfo->mem->access_virt_barray)(
            (j_common_ptr)cinfo, cinfo->coef->coef_arrays[component->component_index], first, height, TRUE);
        // A single component's last row may have fewer rows of blocks.
        if (cinfo->comps_in_scan == 1 && is_last) height = (JDIMENSION)component->last_row_height;
        uint64_t *nonzero = own->nonzero[component->component_index];
        // All components together have at most as many rows as an MCU has blocks; a single one has at most four.
        for (JDIMENSION y = 0; y < height; y++) {
            bool has_bits = nonzero && first + y < component->height_in_blocks;
            rows[count++] = (texel_block_row){
                .blocks = blocks[y],
                .nonzero = has_bits ? nonzero + (size_t)(first + y) * component->width_in_blocks : NULL,
            };
        }
    }
    int rows_per_mcu = cinfo->comps_in_scan == 1 ? 1 : count;
    for (int i = 0; i < count; i += rows_per_mcu) {
        jpeg_own_check(cinfo, texel_coefficient_decoder_read_row(own->decoder, rows + i));
    }
    cinfo->master->last_good_iMCU_row = row;
    if (is_last) finish_scan(own, cinfo);
    cinfo->input_iMCU_row++;
    return is_last ? JPEG_SCAN_COMPLETED : JPEG_ROW_COMPLETED;
}

// MARK: Connecting

/// Asks for large pages for a component's array, of which few pages are in use yet. Each scan reads or writes all of
/// it, so that small pages cost many TLB misses.
static void advise(j_decompress_ptr cinfo, const jpeg_component_info *component, jvirt_barray_ptr array) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 1 << 21 };
    JDIMENSION rows = (JDIMENSION)component->v_samp_factor;
    JBLOCKARRAY blocks = (*cinfo->mem->access_virt_barray)((j_common_ptr)cinfo, array, 0, rows, TRUE);
    // libjpeg allocates the rows one after the other. The advice changes no contents, whatever is there.
    size_t size = (size_t)component->width_in_blocks * component->height_in_blocks * sizeof(JBLOCK);
    uintptr_t start = (uintptr_t)blocks[0], first = (start + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = (start + size) / PAGE * PAGE;
    if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)cinfo, (void)component, (void)array;
#endif
}

/// Replaces the method of libjpeg's input controller that starts the first scan, after which all methods are known.
static void start_first_scan(j_decompress_ptr cinfo) {
    jpeg_own_coefficients *own = own_of(cinfo);
    cinfo->inputctl->start_input_pass = own->start_input_pass;
    (*own->start_input_pass)(cinfo);
    jvirt_barray_ptr *arrays = cinfo->coef->coef_arrays;
    if (!arrays) return;
    if (cinfo->arith_code || (!own->allows_small && jpeg_own_block_count(cinfo) < FEWEST_BLOCKS)) {
        jpeg_source_divide(own->source, cinfo);
        return;
    }
    own->consume_data = cinfo->coef->consume_data;
    cinfo->coef->consume_data = consume_row;
    cinfo->inputctl->consume_input = consume_row;
    own->is_in_use = true;
    for (int i = 0; i < cinfo->num_components; i++) {
        // Arrays of DC coefficients are small.
        if (!jpeg_dc_arrays_own(cinfo, arrays[i])) advise(cinfo, &cinfo->comp_info[i], arrays[i]);
    }
}

void jpeg_own_coefficients_connect(jpeg_own_coefficients *own, j_decompress_ptr cinfo, jpeg_source *source) {
    own->source = source;
    own->start_input_pass = cinfo->inputctl->start_input_pass;
    cinfo->inputctl->start_input_pass = start_first_scan;
}

#else

void jpeg_own_coefficients_connect(jpeg_own_coefficients *own, j_decompress_ptr cinfo, jpeg_source *source) {
    (void)own;
    jpeg_source_divide(source, cinfo);
}

#endif

void jpeg_own_coefficients_finish(jpeg_own_coefficients *own) {
    for (int i = 0; i < MAX_COMPONENTS; i++) {
        free(own->nonzero[i]);
        own->nonzero[i] = NULL;
    }
}

void jpeg_own_coefficients_disconnect(jpeg_own_coefficients *own) {
    jpeg_own_coefficients_finish(own);
    texel_coefficient_decoder_destroy(own->decoder);
    *own = (jpeg_own_coefficients){0};
}
