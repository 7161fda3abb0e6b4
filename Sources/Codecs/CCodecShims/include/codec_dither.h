#ifndef CODEC_DITHER_H
#define CODEC_DITHER_H

#include <stddef.h>
#include <stdint.h>

/// The threshold at a pixel, below 2^16: interleaved gradient noise (Jimenez, "Next Generation Post Processing in Call
/// of Duty: Advanced Warfare", SIGGRAPH 2014), in fixed point.
static inline uint32_t texel_dither_threshold(uint32_t x, uint32_t y) {
    // fract(52.9829189 * fract(0.06711056 * x + 0.00583715 * y))
    uint32_t inner = x * 288237661u + y * 25070370u;
    return (uint32_t)((uint64_t)inner * 3472289u >> 16) >> 16;
}

/// A sample of 16 bits as a byte: the larger of its two neighbours if its distance to the smaller one exceeds the rest
/// of the threshold. Samples that are bytes exactly stay what they are.
static inline uint8_t texel_dithered(uint32_t sample, uint32_t threshold) {
    return (uint8_t)((sample * 255 + (sample >> 8) + threshold) >> 16);
}

/// Converts a row of samples of 16 bits, the more significant byte first, to bytes; all channels of a pixel have the
/// same threshold. `to` may be `from`.
void texel_dither_row(uint8_t *to, const uint8_t *from, size_t pixels, int channels, uint32_t y);

#endif
