#include "png_shim.h"

#include <zlib.h>

size_t texel_png_inflated_size(const uint8_t *bytes, size_t count, size_t limit) {
    z_stream stream = {0};
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
    return size <= limit ? size : limit + 1;
}
