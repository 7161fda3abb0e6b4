#include "codec_dither.h"

void texel_dither_row(uint8_t *to, const uint8_t *from, size_t pixels, int channels, uint32_t y) {
    for (size_t x = 0; x < pixels; x++) {
        uint32_t threshold = texel_dither_threshold((uint32_t)x, y);
        for (int channel = 0; channel < channels; channel++, from += 2) {
            *to++ = texel_dithered((uint32_t)from[0] << 8 | from[1], threshold);
        }
    }
}
