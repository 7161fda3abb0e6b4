#include "jpeg_fence.h"

static jpeg_fence *fence_of(j_common_ptr cinfo) { return (jpeg_fence *)cinfo->err; }

static void come_home(j_common_ptr cinfo) {
    jpeg_fence *fence = fence_of(cinfo);
    // Over its memory limit libjpeg would use a temporary file, which it is built without.
    fence->status = fence->manager.msg_code == JERR_NO_BACKING_STORE ? TEXEL_CODEC_MEMORY_LIMIT
                    : fence->manager.msg_code == JERR_OUT_OF_MEMORY  ? TEXEL_CODEC_OUT_OF_MEMORY
                                                                     : TEXEL_CODEC_FAILED;
    char message[JMSG_LENGTH_MAX];
    fence->manager.format_message(cinfo, message);
    snprintf(fence->report.error, sizeof fence->report.error, "%s", message);
    // After the last byte libjpeg reads an inserted end marker; an error from there on means that the file is
    // truncated.
    if (fence->reached_end) fence->report.truncated = true;
    longjmp(fence->home, 1);
}

/// Returns whether a warning means damaged pixels, rather than a harmless fault of the writer.
static bool is_damage(int code) {
    switch (code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
        return true;
    default:
        return false;
    }
}

/// Returns whether the marker at which the decoder stopped ends its scan. A restart marker does not, and with restart
/// intervals the library continues after an invalid marker. If the file has other scans, they may still provide what
/// this one lacks.
static bool ends_scan(j_decompress_ptr cinfo) {
    int marker = cinfo->unread_marker;
    if (marker == JPEG_EOI) return true;
    if (marker >= JPEG_RST0 && marker < JPEG_RST0 + 8) return false;
    bool is_only_scan = !cinfo->progressive_mode && cinfo->comps_in_scan == cinfo->num_components;
    return is_only_scan && (marker >= 0xC0 || cinfo->restart_interval == 0);
}

/// Returns whether a warning means missing rows: the decoder needs data, but the end of the scan (the file's EOI, the
/// one inserted after the last byte, or another marker) comes before the last row of blocks.
static bool lacks_rows(j_decompress_ptr cinfo, int code) {
    bool rows_left = cinfo->input_iMCU_row + 1 < cinfo->total_iMCU_rows;
    if (code == JWRN_HIT_MARKER) return rows_left && ends_scan(cinfo);
    // The arithmetic decoder reads zeros after the end and gives no warning of its own.
    return code == JWRN_JPEG_EOF && cinfo->arith_code && rows_left;
}

/// Notes that rows are missing, and how many of the file are complete. A row of blocks has the same height in the file
/// at every scale of the decoder. In one of several scans the number says little: other scans may have more rows.
static void note_truncation(jpeg_fence *fence, j_decompress_ptr cinfo) {
    if (fence->report.truncated) return;
    fence->report.truncated = true;
    bool is_only_scan = !cinfo->progressive_mode && cinfo->comps_in_scan == cinfo->num_components;
    if (is_only_scan) fence->report.rows = (int)cinfo->input_iMCU_row * cinfo->max_v_samp_factor * DCTSIZE;
}

static void note_warning(j_common_ptr cinfo, int level) {
    if (level >= 0) return; // trace messages
    jpeg_fence *fence = fence_of(cinfo);
    int code = fence->manager.msg_code;
    if (fence->report.warnings++ == 0) {
        char message[JMSG_LENGTH_MAX];
        fence->manager.format_message(cinfo, message);
        snprintf(fence->report.first_warning, sizeof fence->report.first_warning, "%s", message);
    }
    if (code == JWRN_JPEG_EOF) fence->reached_end = true;
    if (is_damage(code)) fence->report.corrupt = true;
    if (cinfo->is_decompressor && lacks_rows((j_decompress_ptr)cinfo, code))
        note_truncation(fence, (j_decompress_ptr)cinfo);
    if (fence->warning_limit > 0 && fence->report.warnings > fence->warning_limit) {
        fence->status = TEXEL_CODEC_WARNING_LIMIT;
        longjmp(fence->home, 1);
    }
}

void jpeg_fence_stop(j_common_ptr cinfo) {
    jpeg_fence *fence = fence_of(cinfo);
    fence->status = TEXEL_CODEC_STOPPED;
    longjmp(fence->home, 1);
}

void jpeg_fence_refuse(j_common_ptr cinfo) {
    jpeg_fence *fence = fence_of(cinfo);
    fence->is_refused = true;
    fence->status = TEXEL_CODEC_FAILED;
    longjmp(fence->home, 1);
}

void jpeg_fence_clear_report(jpeg_fence *fence) {
    memset(&fence->report, 0, sizeof fence->report);
    fence->reached_end = fence->is_refused = false;
}

static void print_nothing(j_common_ptr cinfo) { (void)cinfo; }

static void watch_progress(j_common_ptr cinfo) {
    jpeg_fence *fence = fence_of(cinfo);
    if (cinfo->is_decompressor && fence->scan_limit > 0 &&
        ((j_decompress_ptr)cinfo)->input_scan_number > fence->scan_limit) {
        fence->status = TEXEL_CODEC_SCAN_LIMIT;
        longjmp(fence->home, 1);
    }
    if (fence->should_stop && fence->should_stop(fence->context)) jpeg_fence_stop(cinfo);
}

void jpeg_fence_prepare(jpeg_fence *fence, texel_should_stop should_stop, void *context) {
    memset(fence, 0, sizeof *fence);
    jpeg_std_error(&fence->manager);
    fence->manager.error_exit = come_home;
    fence->manager.emit_message = note_warning;
    fence->manager.output_message = print_nothing;
    fence->progress.progress_monitor = watch_progress;
    fence->should_stop = should_stop;
    fence->context = context;
}

/// Returns whether a file of several scans ended before every bit of every coefficient was read.
static bool lacks_scans(j_decompress_ptr cinfo) {
    if (!cinfo->coef_bits) return cinfo->comps_in_scan == 1 && cinfo->input_scan_number < cinfo->num_components;
    for (int component = 0; component < cinfo->num_components; component++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            if (cinfo->coef_bits[component][k] != 0) return true;
        }
    }
    return false;
}

void jpeg_fence_check_scans(jpeg_fence *fence, j_decompress_ptr cinfo) {
    if (jpeg_has_multiple_scans(cinfo) && fence->reached_end && lacks_scans(cinfo)) fence->report.truncated = true;
}
