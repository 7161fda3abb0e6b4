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
    if (!source->input.wait) return source->input.count;
    ptrdiff_t there = source->input.wait(source->input.context, count);
    if (there < 0) jpeg_fence_stop((j_common_ptr)cinfo);
    return (size_t)there;
}

/// Called by libjpeg when it has used all bytes of its buffer.
static boolean next_bytes(j_decompress_ptr cinfo) {
    jpeg_source *source = (jpeg_source *)cinfo->src;
    size_t known = source->input.count, there = wait_for(source, cinfo, known + 1);
    if (there > known) {
        source->manager.next_input_byte = source->input.bytes + known;
        source->manager.bytes_in_buffer = there - known;
        source->input.count = there;
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

void jpeg_source_connect(jpeg_source *source, j_decompress_ptr cinfo, const texel_codec_input *input) {
    source->input = *input;
    if (!input->wait && !input->ends_picture) {
        jpeg_mem_src(cinfo, input->bytes, input->count);
        return;
    }
    source->manager = (struct jpeg_source_mgr){.next_input_byte = input->bytes,
                                               .bytes_in_buffer = input->count,
                                               .init_source = begin_input,
                                               .fill_input_buffer = next_bytes,
                                               .skip_input_data = jpeg_source_skip,
                                               .resync_to_restart = jpeg_resync_to_restart,
                                               .term_source = end_input};
    cinfo->src = &source->manager;
}

void jpeg_source_wait_for_end(jpeg_source *source, j_decompress_ptr cinfo) {
    if (!source->input.wait) return;
    size_t there = wait_for(source, cinfo, SIZE_MAX / 2);
    // Not if libjpeg is already reading the inserted end marker.
    const uint8_t *end = source->manager.next_input_byte + source->manager.bytes_in_buffer;
    if (end == source->input.bytes + source->input.count) {
        source->manager.bytes_in_buffer += there - source->input.count;
        source->input.count = there;
    }
}
