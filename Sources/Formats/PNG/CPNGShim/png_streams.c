#include "png_shim.h"

#include <string.h>
#include <zlib.h>

size_t texel_png_inflated_size(const uint8_t *bytes, size_t count, size_t limit, bool *is_complete) {
    z_stream stream = {0};
    *is_complete = false;
    if (inflateInit(&stream) != Z_OK) return 0;
    uint8_t window[32 * 1024]; // output is only counted
    size_t size = 0;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = count < UINT32_MAX ? (uInt)count : UINT32_MAX;
    int status = Z_OK;
    while (status == Z_OK && size <= limit) {
        stream.next_out = window;
        stream.avail_out = sizeof window;
        status = inflate(&stream, Z_NO_FLUSH);
        size += sizeof window - stream.avail_out;
    }
    inflateEnd(&stream);
    *is_complete = status == Z_STREAM_END;
    return size <= limit ? size : limit + 1;
}

bool texel_png_exceeds_window(const texel_png_part *parts, size_t count, size_t limit) {
    z_stream stream = {0};
    // 0: the window that the stream declares. zlib only checks distances that reach before the current output.
    if (inflateInit2(&stream, 0) != Z_OK) return false;
    uint8_t output[256];
    int status = Z_OK;
    size_t size = 0;
    for (size_t part = 0; part < count && status == Z_OK; part++) {
        stream.next_in = (Bytef *)parts[part].bytes;
        // A chunk has fewer than 2³¹ bytes.
        stream.avail_in = (uInt)parts[part].count;
        do {
            stream.next_out = output;
            stream.avail_out = sizeof output;
            status = inflate(&stream, Z_NO_FLUSH);
            size += sizeof output - stream.avail_out;
        } while (status == Z_OK && size < limit && (stream.avail_in > 0 || stream.avail_out == 0));
        // No progress is no error: a part may be empty.
        if (status == Z_BUF_ERROR) status = Z_OK;
        if (size >= limit) break;
    }
    bool exceeds = status == Z_DATA_ERROR && stream.msg && strstr(stream.msg, "too far back");
    inflateEnd(&stream);
    return exceeds;
}
