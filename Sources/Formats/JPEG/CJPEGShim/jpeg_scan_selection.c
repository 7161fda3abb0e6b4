#include "jpeg_scan_selection.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "jpeg_block_size.h"
#include "jpeg_shim.h"
#include "jpeg_source.h"

/// A range of bytes of the file.
struct jpeg_byte_range {
    const uint8_t *start;
    size_t count;
};

enum { SOS = 0xDA, DHT = 0xC4, DAC = 0xCC, DQT = 0xDB, DNL = 0xDC, DRI = 0xDD, COM = 0xFE, APP0 = 0xE0, APP15 = 0xEF };

// MARK: Walking

static bool keep(jpeg_scan_selection *selection, const uint8_t *start, const uint8_t *end) {
    if (start == end) return true;
    if (selection->count == selection->capacity) {
        int capacity = selection->capacity ? 2 * selection->capacity : 16;
        struct jpeg_byte_range *ranges = realloc(selection->ranges, (size_t)capacity * sizeof *ranges);
        if (!ranges) return false;
        selection->ranges = ranges;
        selection->capacity = capacity;
    }
    selection->ranges[selection->count++] = (struct jpeg_byte_range){start, (size_t)(end - start)};
    return true;
}

const uint8_t *texel_jpeg_end_of_scan(const uint8_t *at, const uint8_t *end) {
    while (end - at >= 2 && (at = memchr(at, 0xFF, (size_t)(end - at - 1)))) {
        bool continues = at[1] == 0 || at[1] == 0xFF || (at[1] >= JPEG_RST0 && at[1] < JPEG_RST0 + 8);
        if (!continues) return at;
        at += at[1] == 0xFF ? 1 : 2;
    }
    return NULL;
}

static bool is_plain_segment(int marker) {
    return marker == DAC || marker == DQT || marker == DNL || marker == DRI || marker == COM ||
           (marker >= APP0 && marker <= APP15);
}

/// Returns whether every code fits its length and none consists of ones only, which a decoder checks when it uses a
/// table. `counts` has the numbers of codes of 1 to 16 bits.
static bool is_prefix_code(const uint8_t *counts) {
    long code = 0;
    for (int bits = 1; bits <= 16; bits++, code *= 2) {
        code += counts[bits - 1];
        if (counts[bits - 1] > 0 && code >= 1L << bits) return false;
    }
    return true;
}

/// Updates the set of usable AC tables from a DHT segment (without its length).
static void note_tables(unsigned *usable_tables, const uint8_t *at, const uint8_t *end) {
    while (end - at >= 17) {
        int codes = 0;
        for (int bits = 1; bits <= 16; bits++) codes += at[bits];
        unsigned table = 1u << (at[0] & 15);
        if (at[0] >> 4 == 1) *usable_tables &= ~table;
        if (at[0] >> 4 == 1 && is_prefix_code(at + 1)) *usable_tables |= table;
        at += 17 + codes;
    }
}

/// Returns whether a scan header (without its length) is that of AC coefficients that are not needed. `valid` is set to
/// whether a decoder would accept it.
static bool is_skippable(const jpeg_scan_selection *selection, j_decompress_ptr cinfo, unsigned usable_tables,
                         const uint8_t *header, size_t count, bool *valid) {
    int components = count > 0 ? header[0] : 0;
    *valid = components >= 1 && components <= MAX_COMPS_IN_SCAN && count == 4 + 2 * (size_t)components;
    if (!*valid) return false;
    const uint8_t *progression = header + 1 + 2 * components;
    int first = progression[0], last = progression[1], high = progression[2] >> 4, low = progression[2] & 15;
    if (first == 0) return false;
    *valid = components == 1 && first <= last && last < DCTSIZE2 && (high == 0 || high - 1 == low) && low <= 13 &&
             (cinfo->arith_code || (usable_tables >> (header[2] & 15) & 1));
    for (int ci = 0; ci < cinfo->num_components && *valid; ci++) {
        if (cinfo->comp_info[ci].component_id == header[1]) return selection->is_dc_only[ci];
    }
    *valid = false;
    return false;
}

/// Collects the ranges that are needed, from `at`, in the data of the first scan, to the end marker. Returns false if
/// no scan can be skipped or something is unusual.
static bool select_ranges(jpeg_scan_selection *selection, j_decompress_ptr cinfo, const uint8_t *at, int scan_limit) {
    const uint8_t *kept = at;
    int scans = 1;
    bool skips = false;
    unsigned usable_tables = 0;
    for (int table = 0; table < NUM_HUFF_TBLS; table++) {
        const JHUFF_TBL *known = cinfo->ac_huff_tbl_ptrs[table];
        if (known && is_prefix_code(known->bits + 1)) usable_tables |= 1u << table;
    }
    at = texel_jpeg_end_of_scan(at, selection->end);
    while (at && selection->end - at >= 2 && at[0] == 0xFF) {
        int marker = at[1];
        if (marker == 0xFF) {
            at++;
            continue;
        }
        if (marker == JPEG_EOI) return skips && keep(selection, kept, at + 2);
        if (selection->end - at < 4) return false;
        size_t length = (size_t)at[2] << 8 | at[3];
        if (length < 2 || length > (size_t)(selection->end - at) - 2) return false;
        const uint8_t *behind = at + 2 + length;
        if (marker == SOS) {
            bool valid;
            bool skippable = is_skippable(selection, cinfo, usable_tables, at + 4, length - 2, &valid);
            if (!valid || (++scans > scan_limit && scan_limit > 0)) return false;
            behind = texel_jpeg_end_of_scan(behind, selection->end);
            if (skippable) {
                if (!behind || !keep(selection, kept, at)) return false;
                kept = behind;
                skips = true;
            }
        } else if (marker == DHT) {
            note_tables(&usable_tables, at + 4, behind);
        } else if (!is_plain_segment(marker)) {
            return false;
        }
        at = behind;
    }
    return false;
}

// MARK: The source

static void begin_input(j_decompress_ptr cinfo) { (void)cinfo; }

static boolean next_range(j_decompress_ptr cinfo) {
    jpeg_scan_selection *selection = (jpeg_scan_selection *)cinfo->src;
    if (selection->next < selection->count) {
        const struct jpeg_byte_range *range = &selection->ranges[selection->next++];
        selection->manager.next_input_byte = range->start;
        selection->manager.bytes_in_buffer = range->count;
    } else {
        WARNMS(cinfo, JWRN_JPEG_EOF);
        jpeg_source_end(cinfo);
    }
    return TRUE;
}

static void end_input(j_decompress_ptr cinfo) { (void)cinfo; }

bool jpeg_scan_selection_apply(jpeg_scan_selection *selection, j_decompress_ptr cinfo, int scan_limit) {
    if (!cinfo->progressive_mode || cinfo->Ss != 0) return false;
    jpeg_calc_output_dimensions(cinfo);
    for (int ci = 0; ci < cinfo->num_components; ci++) {
        const jpeg_component_info *info = &cinfo->comp_info[ci];
        selection->is_dc_only[ci] = BLOCK_WIDTH(info) == 1 && BLOCK_HEIGHT(info) == 1;
        for (int other = 0; other < ci; other++) {
            if (info->component_id == cinfo->comp_info[other].component_id) return false;
        }
    }
    const uint8_t *at = cinfo->src->next_input_byte;
    selection->end = at + cinfo->src->bytes_in_buffer;
    selection->count = selection->next = 0;
    if (!select_ranges(selection, cinfo, at, scan_limit)) return false;
    selection->manager = (struct jpeg_source_mgr){.init_source = begin_input,
                                                  .fill_input_buffer = next_range,
                                                  .skip_input_data = jpeg_source_skip,
                                                  .resync_to_restart = jpeg_resync_to_restart,
                                                  .term_source = end_input};
    cinfo->src = &selection->manager;
    return next_range(cinfo);
}

void jpeg_scan_selection_free(jpeg_scan_selection *selection) { free(selection->ranges); }
