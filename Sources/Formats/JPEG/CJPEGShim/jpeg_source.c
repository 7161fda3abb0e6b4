#include "jpeg_source.h"

#include "jpeg_fence.h"

static void begin_input(j_decompress_ptr cinfo) { (void)cinfo; }

static void end_input(j_decompress_ptr cinfo) { (void)cinfo; }

void jpeg_source_end(j_decompress_ptr cinfo) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    cinfo->src->next_input_byte = end_marker;
    cinfo->src->bytes_in_buffer = sizeof end_marker;
}

/// Waits until `count` bytes are available or the file has ended. Returns how many are available.
static size_t wait_for(jpeg_source *source, j_decompress_ptr cinfo, size_t count) {
    if (!source->input.wait) return source->arrived;
    ptrdiff_t there = source->input.wait(source->input.context, count);
    if (there < 0) jpeg_fence_stop((j_common_ptr)cinfo);
    return (size_t)there;
}

/// The most bytes of a piece: libjpeg-turbo's faster loops require 512 for each block of an MCU.
enum { LARGEST_PIECE = 511 };

/// Called by libjpeg when it has used all bytes of its buffer.
static boolean next_bytes(j_decompress_ptr cinfo) {
    jpeg_source *source = (jpeg_source *)cinfo->src;
    size_t known = source->input.count;
    if (source->arrived <= known) source->arrived = wait_for(source, cinfo, known + 1);
    if (source->arrived > known) {
        size_t count = source->arrived - known;
        if (source->divides && count > LARGEST_PIECE) count = LARGEST_PIECE;
        source->manager.next_input_byte = source->input.bytes + known;
        source->manager.bytes_in_buffer = count;
        source->input.count = known + count;
    } else {
        if (!source->input.ends_picture) WARNMS(cinfo, JWRN_JPEG_EOF);
        jpeg_source_end(cinfo);
    }
    return TRUE;
}

void jpeg_source_skip(j_decompress_ptr cinfo, long count) {
    struct jpeg_source_mgr *source = cinfo->src;
    while (count > (long)source->bytes_in_buffer) {
        count -= (long)source->bytes_in_buffer;
        (void)source->fill_input_buffer(cinfo);
    }
    if (count <= 0) return;
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

/// Makes the source's own manager libjpeg's, with bytes of the file that libjpeg has not used.
static void use_manager(jpeg_source *source, j_decompress_ptr cinfo, const uint8_t *next, size_t count) {
    source->manager = (struct jpeg_source_mgr){.next_input_byte = next,
                                               .bytes_in_buffer = count,
                                               .init_source = begin_input,
                                               .fill_input_buffer = next_bytes,
                                               .skip_input_data = jpeg_source_skip,
                                               .resync_to_restart = jpeg_resync_to_restart,
                                               .term_source = end_input};
    cinfo->src = &source->manager;
}

void jpeg_source_connect(jpeg_source *source, j_decompress_ptr cinfo, const texel_codec_input *input) {
    *source = (jpeg_source){.input = *input, .arrived = input->count};
    if (input->wait || input->ends_picture) {
        use_manager(source, cinfo, input->bytes, input->count);
    } else {
        jpeg_mem_src(cinfo, input->bytes, input->count);
    }
}

void jpeg_source_divide(jpeg_source *source, j_decompress_ptr cinfo) {
    const uint8_t *next = cinfo->src->next_input_byte, *end = source->input.bytes + source->input.count;
    if (cinfo->progressive_mode || cinfo->arith_code || source->divides) return;
    // Not if libjpeg is already reading the inserted end marker.
    if (next + cinfo->src->bytes_in_buffer != end) return;
    size_t count = cinfo->src->bytes_in_buffer < LARGEST_PIECE ? cinfo->src->bytes_in_buffer : LARGEST_PIECE;
    source->divides = true;
    source->input.count = (size_t)(next - source->input.bytes) + count;
    use_manager(source, cinfo, next, count);
}

void jpeg_source_wait_for_end(jpeg_source *source, j_decompress_ptr cinfo) {
    if (!source->input.wait) return;
    size_t there = wait_for(source, cinfo, SIZE_MAX / 2);
    // Not if libjpeg is already reading the inserted end marker.
    const uint8_t *end = source->manager.next_input_byte + source->manager.bytes_in_buffer;
    if (end == source->input.bytes + source->input.count) {
        source->manager.bytes_in_buffer += there - source->input.count;
        source->input.count = source->arrived = there;
    }
}
