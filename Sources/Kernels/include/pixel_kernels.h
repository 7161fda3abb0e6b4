// The hot loops of the pixel filters: plain C, compiled once per CPU level, selected once per process.
//
// Every level gives the same bytes. Most kernels use integers only, and no sum may overflow (the callers guarantee that
// for their weights). The metrics and the maps of colours use floating point, with each step rounded by itself and sums
// in a fixed order.
//
// Pixels are BGRA with 8 bits per channel ("u8"), or four int16_t per pixel in the same order, 0…32767 ("u16"), for
// linear light. Rows need no alignment. Rows may be longer than what is read; nothing outside the stated range is
// accessed.

#ifndef PIXEL_KERNELS_H
#define PIXEL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "butteraugli_kernels.h"
#include "trellis_kernels.h"

#pragma clang assume_nonnull begin

/// The x86-64 feature levels with kernels of their own. Other processors have only the baseline.
typedef enum texel_cpu_level {
    texel_cpu_baseline = 0,
    /// SSE 4.2
    texel_cpu_v2 = 1,
    /// AVX2
    texel_cpu_v3 = 2,
    /// AVX-512 F, BW, VL, DQ
    texel_cpu_v4 = 3,
} texel_cpu_level;

/// The number of taps of `resample_horizontal_u16` is a multiple of this.
enum { texel_horizontal_tap_multiple = 4 };

/// The number of taps of `resample_horizontal_words` is a multiple of this.
enum { texel_word_tap_multiple = 8 };

/// The rows of a band, of BGRA pixels and of a plane, and the multiple of its filter's taps and starts.
enum { texel_band_rows = 8, texel_plane_band_rows = 16, texel_band_tap_multiple = 2 };

/// Returns how many pixels of each row the tiles of a band hold: enough that they rarely need to be moved.
static inline size_t texel_band_tiles(size_t taps) { return 2 * taps + 64; }

/// Returns the size of the scratch buffer that a band's filter needs, in samples.
static inline size_t texel_band_scratch(size_t taps) { return texel_band_tiles(taps) * texel_band_rows * 4; }

/// Returns the same for a band of a plane.
static inline size_t texel_plane_band_scratch(size_t taps) { return texel_band_tiles(taps) * texel_plane_band_rows; }

/// Rows of chroma words have room for a multiple of this number of words: kernels read and write whole vectors.
enum { texel_chroma_multiple = 64 };

/// Rows of the metrics have room for a multiple of this number of floats, and the same room before and after: kernels
/// read and write whole vectors, and blurs read past both ends, where the caller puts zeros.
enum { texel_metric_multiple = 16 };

/// The value of white between the stages of a change of colours, which have 64 values for an 8-bit step.
enum { texel_color_white = 255 * 64 };

/// Kernels read and write values in groups of this number.
enum { texel_color_multiple = 32 };

/// A change of colours: for blue, green and red the factors of blue, green and red, and an offset with the half that
/// rounds, all times 2 to the power of `shift`. For each row, 32,768 times the sum of the absolute factors, plus the
/// absolute offset, is below 2³¹.
typedef struct texel_color_matrix {
    int16_t factors[9];
    int32_t offsets[3];
    int shift;
} texel_color_matrix;

/// A function of values from black to white. Each of sixteen pieces of 1,024 values has two parabolas.
typedef struct texel_color_parabolas {
    /// For each piece the first value that has the second parabola; more than white if there is none.
    int16_t breaks[16];
    /// For the first and the second parabola: for each piece the value at its begin, the factor of the place in the
    /// piece, and that of its square; a piece is 1 long. The sum of the absolute factors is at most 32,767.
    int16_t coefficients[2][3][16];
} texel_color_parabolas;

/// The binary places of a fraction between two entries of a three-dimensional table, and the bits of the distance
/// between them.
enum { texel_cube_fraction_bits = 14, texel_cube_step_bits = 17 };

/// The binary places of a weight between two tiles of an image.
enum { texel_tile_weight_bits = 11 };

/// Where a column of pixels is between two tiles: the positions of their tables, and the weight of the right one.
typedef struct texel_tile_place {
    uint16_t left, right, weight;
} texel_tile_place;

/// The conversion from YUV to RGB: red = luma × Y − black + red_v × V and so on. Factors are in 1/8192. `black` is in
/// 1/32 of an 8-bit step, less half a step, so that the final shift rounds.
typedef struct texel_yuv_matrix {
    int16_t luma, black, red_v, green_u, green_v, blue_u;
} texel_yuv_matrix;

/// The intervals of R'G'B' in a table of light, and how many parts they have in a table of compression.
enum { texel_map_steps = 1024, texel_map_fine_steps = 4 };

/// The lower bits of a float that do not count where light is looked up, and all bits of the least light, 2⁻¹³.
enum { texel_map_light_shift = 14, texel_map_least_bits = 0x39000000 };

/// The conversion from YUV to sRGB through light. R'G'B' come from words as with `texel_yuv_matrix`: red = luma × Y −
/// black + red_v × V and so on, limited to 0…`texel_map_steps`, which is white.
typedef struct texel_color_map {
    float luma, black, red_v, green_u, green_v, blue_u;
    /// For red, green and blue the factors of the light of red, green and blue.
    float matrix[9];
    /// For each interval of R'G'B', and for white: light = the first number + the second one × R'G'B'.
    const float *_Nullable lines;
    /// For each fine step of the largest of R'G'B': a factor of the pixel's light, times 65,535, by which the matrix is
    /// divided; or NULL.
    const uint16_t *_Nullable compression;
    /// The byte of light, 0…1, by the upper bits of the float, from `texel_map_least_bits` to those of 1.
    const uint8_t *_Nullable bytes;
} texel_color_map;

/// Two rows to be converted, the upper one first. A row without a destination is skipped.
typedef struct texel_yuv_pair {
    uint8_t *_Nullable destinations[2];
    const uint8_t *_Nullable luma[2];
} texel_yuv_pair;

/// The conversion from RGB to YUV: factors of blue, green and red in 1/32,768. Those of luma add up to at most one,
/// those of U and of V to zero. `black` is in the same unit, plus half a step for rounding.
typedef struct texel_rgb_matrix {
    int16_t luma[3], u[3], v[3];
    int32_t black;
} texel_rgb_matrix;

/// The rows from which a missing row y of a field is interpolated. Fields alternate in time.
typedef struct texel_field_rows {
    /// Rows y − 4, y − 2, y, y + 2 and y + 4 of the fields before and after the shown one, which have the missing row.
    const uint8_t *_Nonnull before[5], *_Nonnull after[5];
    /// Rows y − 3, y − 1, y + 1 and y + 3 of the shown field.
    const uint8_t *_Nonnull shown[4];
    /// Rows y − 1 and y + 1 of the fields one frame earlier and later.
    const uint8_t *_Nonnull earlier[2], *_Nonnull later[2];
} texel_field_rows;

/// The radius of the recursive blur, in samples.
enum { texel_blur_radius = 5 };

/// A Gaussian as the sum of three oscillators: output = down_input × (the sum of two samples) − down_previous × (the
/// last output) − (the output before it). Along rows four outputs are computed per step; the `across_` arrays give the
/// weights of the inputs of the step, of the last output before the step, and of the output before that.
typedef struct texel_recursive_blur {
    float down_input[3], down_previous[3];
    float across_input[3][4], across_previous[3][4], across_before[3][4];
} texel_recursive_blur;

/// Rows of words of the windows have room for a multiple of this number: kernels read and write whole vectors.
enum { texel_window_multiple = 32 };

/// The largest radius of the windows of `window_rows` and `window_row`.
enum { texel_window_radius = 62 };

/// Rows of the medians have this many readable bytes after the last byte that belongs to a window.
enum { texel_median_padding = 64 };

/// A square window of (2 × `radius` + 1)² samples, at most 2²², and how sums are divided by this area: half of it is
/// added, the result multiplied by `reciprocal` = 2^shift / area, rounded up, and shifted right by `shift`: 31 plus the
/// number of bits of the area.
typedef struct texel_box {
    uint32_t radius, half_area, reciprocal, shift;
} texel_box;

/// The blend modes of W3C Compositing and Blending Level 1.
typedef enum texel_blend_mode {
    texel_blend_normal,
    texel_blend_multiply,
    texel_blend_screen,
    texel_blend_overlay,
    texel_blend_darken,
    texel_blend_lighten,
    texel_blend_color_dodge,
    texel_blend_color_burn,
    texel_blend_hard_light,
    texel_blend_soft_light,
    texel_blend_difference,
    texel_blend_exclusion,
    texel_blend_hue,
    texel_blend_saturation,
    texel_blend_color,
    texel_blend_luminosity,
} texel_blend_mode;

/// What the colours of pixels are: those of opaque ones, straight, or multiplied by alpha.
typedef enum texel_alpha { texel_alpha_opaque, texel_alpha_straight, texel_alpha_premultiplied } texel_alpha;

/// How a source is blended with a backdrop.
typedef struct texel_blend {
    texel_blend_mode mode;
    texel_alpha backdrop, source;
    /// The factor of the source's alpha, 0…1.
    float opacity;
    /// Both or none: the light of each byte, 0…1, and the bytes of light in 32,768 steps, to blend light instead of the
    /// bytes. Then neither the backdrop nor the source is premultiplied.
    const float *_Nullable to_light;
    const uint8_t *_Nullable from_light;
} texel_blend;

/// One level's kernels. Arguments must not overlap unless stated.
typedef struct texel_kernels {
    texel_cpu_level level;

    /// Filters a band of `texel_band_rows` rows of `source_width` pixels horizontally; pixels past the end count as 0.
    /// For fewer rows, repeat entries of `sources` with the same entries of `destinations`.
    ///
    /// Output pixel `i` is the sum of `taps` pixels from `starts[i]` on, each multiplied by its weight in
    /// `weights[i * taps…]`, rounded, shifted right by `shift`, clamped to 0…255. `taps` and all `starts` are multiples
    /// of `texel_band_tap_multiple`, starts never decrease, `shift` is 1…30. `premultiplies` multiplies the pixels by
    /// alpha first, as `premultiply_row` does. `scratch` has `texel_band_scratch(taps)` samples, preferably aligned to
    /// 64 bytes. `next_band` is a prefetch hint: the distance in bytes from this band's rows to the next band's; 0 if
    /// unknown.
    void (*resample_horizontal_band)(
        uint8_t *_Nonnull const *_Nonnull destinations, const uint8_t *_Nonnull const *_Nonnull sources,
        ptrdiff_t next_band, size_t source_width, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift, int16_t *scratch, int premultiplies);
    /// Like `resample_horizontal_band`, for `texel_plane_band_rows` rows of one byte per sample. `scratch` has
    /// `texel_plane_band_scratch(taps)` samples.
    void (*resample_horizontal_plane_band)(
        uint8_t *_Nonnull const *_Nonnull destinations, const uint8_t *_Nonnull const *_Nonnull sources,
        size_t source_width, size_t width, const int32_t *starts, const int16_t *weights, size_t taps, int shift,
        int16_t *scratch);

    /// Transposes a plane of one byte per sample: sample (x, y) of the destination, which is `width` × `height`, is
    /// sample (y, x) of the source. Strides are the bytes from row to row and may be negative.
    void (*transpose_plane)(
        uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride,
        size_t width, size_t height);

    /// Filters vertically. Byte `i` is the sum of byte `i` of `taps` rows, each multiplied by its weight, rounded,
    /// shifted right by `shift`, clamped to 0…255. `taps` is any positive number.
    void (*resample_vertical_u8)(
        uint8_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
        size_t byte_count, int shift);

    /// Filters a row of four 15-bit samples per pixel horizontally. Output pixel `i` is the sum of `taps` pixels from
    /// `starts[i]` on, each multiplied by its weight in `weights[i * taps…]`, rounded, shifted right by `shift`,
    /// clamped to 0…32767. `taps` is a positive multiple of `texel_horizontal_tap_multiple`; `shift` is 1…30.
    void (*resample_horizontal_u16)(
        int16_t *destination, const int16_t *source, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift);

    /// Like `resample_vertical_u8`, for 15-bit samples, clamped to 0…32767. `sample_count` is four times the width.
    void (*resample_vertical_u16)(
        int16_t *destination, const int16_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
        size_t sample_count, int shift);

    /// Like `resample_horizontal_u16`, for one sample per pixel. `taps` is a positive multiple of
    /// `texel_word_tap_multiple`.
    void (*resample_horizontal_words)(
        int16_t *destination, const int16_t *source, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift);

    /// Copies unsigned 16-bit samples, replacing those above `limit` (0…32767) by it.
    void (*limit_words_row)(int16_t *destination, const uint8_t *source, size_t count, int limit);

    // Changes of colours. Between the stages there are rows of values for each channel: an 8-bit step is 64. Rows have
    // room for a multiple of `texel_color_multiple` values.

    /// Replaces the colours through three tables of 256 bytes: for blue, green and red. `destination` may be `source`.
    void (*map_color_row)(uint8_t *destination, const uint8_t *source, size_t width, const uint8_t *tables);

    /// Converts colours to values.
    void (*widen_color_row)(int16_t *blue, int16_t *green, int16_t *red, const uint8_t *source, size_t width);

    /// Converts colours to values through three tables of 256 values.
    void (*look_up_color_row)(
        int16_t *blue, int16_t *green, int16_t *red, const uint8_t *source, size_t width, const int16_t *tables);

    /// Multiplies values by a matrix; results are clamped to what `int16_t` holds.
    void (*mix_color_row)(
        int16_t *blue, int16_t *green, int16_t *red, size_t width, const texel_color_matrix *matrix);

    /// Clamps values to 0…`texel_color_white`, and replaces them through a table.
    void (*curve_color_row)(int16_t *samples, size_t width, const int16_t *curve);

    /// Clamps values to 0…`texel_color_white`, and replaces them through parabolas. Products are rounded half up.
    void (*parabola_color_row)(int16_t *samples, size_t width, const texel_color_parabolas *parabolas);

    /// Converts values to colours, rounded and clamped; alpha is that of `source`, which may be `destination`.
    void (*narrow_color_row)(
        uint8_t *destination, const uint8_t *source, const int16_t *blue, const int16_t *green, const int16_t *red,
        size_t width);

    /// Replaces the colours through a three-dimensional table, between whose entries they are interpolated in
    /// tetrahedra. `destination` may be `source`.
    ///
    /// `entries` are four values each: blue, green and red in 1/64 of an 8-bit step, and any other. `places` has 256
    /// numbers for blue, for green and for red. Bits 32…63 are added to give the first entry of a colour. Bits 0…16 are
    /// the distance to the next entry on the axis, bits 17…31 the fraction on the way there, 0…2¹⁴.
    void (*cube_color_row)(
        uint8_t *destination, const uint8_t *source, size_t width, const uint64_t *places, const int16_t *entries);

    /// Computes luma with the weights of ITU-R BT.601: (19595 R + 38470 G + 7471 B + 32768) / 65536.
    void (*luma_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Replaces luma through tables of 256 bytes and adds the change to the colours, clamped. The new luma is
    /// interpolated between the tables of four tiles: horizontally as `places` say, and vertically from `above` to
    /// `below` with the weight of `below`; the sum is rounded once. `destination` may be `source`.
    void (*equalize_row)(
        uint8_t *destination, const uint8_t *source, const uint8_t *luma, size_t width, const uint8_t *above,
        const uint8_t *below, const texel_tile_place *places, uint32_t weight);

    /// Converts straight to premultiplied alpha: colour = (colour × alpha + 127) / 255. `destination` may be `source`.
    void (*premultiply_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Converts premultiplied to straight alpha: colour = min(255, (colour × 255 + alpha / 2) / alpha), 0 if alpha is
    /// 0. `destination` may be `source`.
    void (*unpremultiply_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Clamps premultiplied pixels after a filter that overshoots: colour = min(colour, alpha). `destination` may be
    /// `source`.
    void (*limit_to_alpha_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Composites straight or premultiplied pixels on an opaque background (0x??RRGGBB): colour = (colour × alpha +
    /// background × (255 − alpha) + 127) / 255. For premultiplied pixels, min(colour, alpha) × 255 replaces colour ×
    /// alpha. `destination` may be `source`.
    void (*flatten_row)(
        uint8_t *destination, const uint8_t *source, size_t width, uint32_t background, bool is_premultiplied);

    /// Converts straight u8 to premultiplied linear light. `curve` has 256 entries, 0…32767; alpha is scaled to
    /// 0…32767.
    void (*linearise_row)(int16_t *destination, const uint8_t *source, size_t width, const uint16_t *curve);

    /// Converts premultiplied linear light to straight u8. `curve` has 32,768 entries. Samples must be in 0…32767.
    void (*delinearise_row)(uint8_t *destination, const int16_t *source, size_t width, const uint8_t *curve);

    // PNG. `channels` is the number of bytes per pixel, at least 1. For filtering, `row` and `above` are preceded by
    // `channels` zero bytes; above the first row of the image all bytes are zero.

    /// Computes the cost of each of PNG's five filters: the sum of the magnitudes of the filtered bytes, read as
    /// signed.
    void (*png_filter_costs)(
        uint64_t *costs, const uint8_t *row, const uint8_t *above, size_t count, size_t channels);

    /// Filters `count` bytes with filter 0…4 of the PNG specification.
    void (*png_filter_row)(
        uint8_t *destination, const uint8_t *row, const uint8_t *above, size_t count, size_t channels, int filter);

    /// Reverses `png_filter_row`. Bytes before the rows are not read; all three rows have room for eight more bytes at
    /// the end. `channels` is 1, 2, 3, 4, 6 or 8.
    void (*png_unfilter_row)(
        uint8_t *destination, const uint8_t *filtered, const uint8_t *above, size_t count, size_t channels,
        int filter);

    /// Unfilters two rows, the second directly below the first, like two calls of `png_unfilter_row`.
    void (*png_unfilter_two_rows)(
        uint8_t *_Nonnull const *_Nonnull destinations, const uint8_t *_Nonnull const *_Nonnull filtered,
        const uint8_t *above, size_t count, size_t channels, const int *filters);

    /// Converts big-endian 16-bit samples to 8 bits: (sample × 255 + 32,895) >> 16, the nearest of 255 steps.
    void (*png_narrow_row)(uint8_t *destination, const uint8_t *source, size_t count);

    /// Converts RGB to opaque BGRA.
    void (*unpack_rgb_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Converts BGRA to RGB; alpha is dropped.
    void (*pack_rgb_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Converts BGRA to RGBA, or RGBA to BGRA.
    void (*pack_rgba_row)(uint8_t *destination, const uint8_t *source, size_t width);

    // YUV. A sample has one byte, or two (little endian) with a 10-bit value; values above 1023 count as 1023. Chroma
    // samples are converted to 16-bit words in 1/128 of an 8-bit step, with neutral at 0. Rows of words have room for a
    // multiple of `texel_chroma_multiple`; the words after `count` are unspecified.

    /// Converts chroma samples to words.
    void (*widen_chroma_row)(int16_t *destination, const uint8_t *source, int sample_bytes, size_t count);

    /// Like `widen_chroma_row`, for `count` samples of which the even and odd ones go to separate rows: U and V of
    /// NV12, or even and odd columns.
    void (*split_chroma_row)(
        int16_t *even, int16_t *odd, const uint8_t *source, int sample_bytes, size_t count);

    /// Replaces words of Cg and Co by −(Cg + Co) / 2 and (Co − Cg) / 2, with which `texel_yuv_matrix` converts YCgCo.
    void (*turn_chroma_rows)(int16_t *u, int16_t *v, size_t count);

    /// Doubles the columns: writes twice `count` words. The caller provides two more words before and after `source`.
    /// Cubic convolution (B = 0, C = 0.6), centred siting. Results are clamped to the largest byte value, but not to
    /// the smallest, as in ffmpeg.
    void (*double_chroma_row)(int16_t *destination, const int16_t *source, size_t count);

    /// Converts a row to opaque BGRA. `chroma` points to the words of U; those of V follow, `part` words further.
    /// Without `chroma` the row is grey. If `uses_non_temporal_stores` is set and the destination is aligned to 64
    /// bytes, pixels are stored with non-temporal stores, which is faster if they would be evicted from the cache
    /// before they are read. With `map`, which replaces `matrix`, the pixels are converted to sRGB, and stores are not
    /// non-temporal.
    void (*yuv_to_bgra_row)(
        uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *_Nullable chroma, ptrdiff_t part,
        size_t width, const texel_yuv_matrix *matrix, const texel_color_map *_Nullable map,
        int uses_non_temporal_stores);

    /// Like `yuv_to_bgra_row`, for two rows between `chroma[1]` and `chroma[2]` of four consecutive rows of half as
    /// many: the first is a quarter of a row below `chroma[1]`, the second a quarter of a row above `chroma[2]`. Rows
    /// of chroma are blended by the same convolution, not clamped.
    void (*yuv420_to_bgra_rows)(
        const texel_yuv_pair *pair, int sample_bytes, const int16_t *_Nonnull const *_Nonnull chroma, ptrdiff_t part,
        size_t width, const texel_yuv_matrix *matrix, const texel_color_map *_Nullable map,
        int uses_non_temporal_stores);

    /// Replaces the alpha of a row of pixels by samples of the full range, rounded to bytes.
    void (*set_alpha_row)(uint8_t *pixels, const uint8_t *alpha, int sample_bytes, size_t width);

    // From BGRA to YUV. Chroma words are in 1/64 here. Alpha is ignored.

    /// Computes luma, rounded.
    void (*bgra_to_luma_row)(
        uint8_t *destination, const uint8_t *source, size_t width, const texel_rgb_matrix *matrix);

    /// Computes the chroma of all columns. `chroma` receives the words of U in even columns; U in odd columns and V in
    /// even and odd columns follow, each `part` words further.
    void (*bgra_to_chroma_row)(
        int16_t *chroma, ptrdiff_t part, const uint8_t *source, size_t width, const texel_rgb_matrix *matrix);

    /// Halves the columns: writes `count` words. The caller provides two more words before and after both `even` and
    /// `odd`. The same convolution, stretched to eight columns.
    void (*halve_chroma_row)(int16_t *destination, const int16_t *even, const int16_t *odd, size_t count);

    /// Computes one row of half as many rows from eight consecutive ones, with the same filter.
    void (*halve_chroma_rows)(int16_t *destination, const int16_t *_Nonnull const *_Nonnull rows, size_t count);

    /// Converts words to one-byte samples, rounded and clamped.
    void (*narrow_chroma_row)(uint8_t *destination, const int16_t *source, size_t count);

    /// Like `narrow_chroma_row`, for `count` samples of which the even and the odd ones come from separate rows.
    void (*zip_chroma_row)(uint8_t *destination, const int16_t *even, const int16_t *odd, size_t count);

    // Live frames.

    /// Computes one row of half the width, rounded up, from two rows of a plane: the rounded averages of two by two
    /// samples. If the width is odd, the last column counts twice.
    void (*halve_rows)(uint8_t *destination, const uint8_t *upper, const uint8_t *lower, size_t width);

    /// Blends two rows: each byte = (first × (256 − weight) + second × weight + 128) / 256; the weight is 0…256.
    /// `destination` may be one of the sources.
    void (*mix_row)(uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t width, int weight);

    /// Interpolates `count` samples of a missing row of a field, of `bits` ≤ 12 bits: bytes for 8 bits, else words, of
    /// which larger ones count as the maximum. Within 1 of the formula for 8 bits, 2 for more.
    void (*missing_field_row)(uint8_t *destination, const texel_field_rows *rows, int bits, size_t count);

    // The quality metrics. For the room that rows of floats need, see `texel_metric_multiple`.

    /// Converts BGRA pixels to linear light. `curve` has 256 entries. Alpha is ignored.
    void (*metric_light_row)(
        float *red, float *green, float *blue, const uint8_t *source, size_t width, const float *curve);

    /// Computes one row of half the width, rounded up, from two rows: averages of two by two samples. If the width is
    /// odd, the last column counts twice.
    void (*metric_halve_rows)(float *destination, const float *upper, const float *lower, size_t width);

    /// Converts linear light, 0…1, to the XYB of SSIMULACRA2: offset and scaled to 0…1, with luma subtracted from B.
    /// Writes zeros from `count` to the next multiple.
    void (*metric_xyb_row)(
        float *x_row, float *y_row, float *b_row, const float *red, const float *green, const float *blue,
        size_t count);

    /// Computes the luma of BGRA pixels with the weights of BT.601, 0…255.
    void (*metric_luma_row)(float *destination, const uint8_t *source, size_t width);

    /// Computes first × second, first² and second².
    void (*metric_multiply_rows)(
        float *products, float *first_squares, float *second_squares, const float *first, const float *second,
        size_t count);

    /// Applies a symmetric filter along the row. `weights` has `radius` + 1 entries, the centre first; `radius` is at
    /// most `texel_metric_multiple`.
    void (*metric_window_row)(
        float *destination, const float *source, size_t count, const float *weights, int radius);

    /// Applies the same filter across 2 × `radius` + 1 rows.
    void (*metric_window_rows)(
        float *destination, const float *_Nonnull const *_Nonnull rows, size_t count, const float *weights, int radius);

    /// Blurs rows from left to right. `row_count` is any number; each row has its own destination.
    void (*metric_blur_across)(
        float *_Nonnull const *_Nonnull destinations, const float *_Nonnull const *_Nonnull sources, size_t row_count,
        size_t width, const texel_recursive_blur *blur);

    /// Computes one row of the vertical blur. Row y is computed from row y − (radius + 1), `upper`, row y + (radius −
    /// 1), `lower` (zeros for rows outside the image), and the outputs of the three oscillators for the two rows above:
    /// `previous` for row y − 1, `before` for row y − 2. The new outputs replace those in `before`. The first call is
    /// for row 1 − radius, with zeros.
    void (*metric_blur_down)(
        float *destination, float *_Nonnull const *_Nonnull before, const float *_Nonnull const *_Nonnull previous,
        const float *upper, const float *lower, size_t count, const texel_recursive_blur *blur);

    /// Computes SSIMULACRA2's structural errors from the blurred rows, products and squares of two images. Adds the sum
    /// of the errors to `sums[0]` and that of their fourth powers to `sums[1]`.
    void (*metric_structure_errors)(
        double *sums, const float *mean1, const float *mean2, const float *squares1, const float *squares2,
        const float *products, size_t count);

    /// Computes SSIMULACRA2's edge errors: edges that only the second image has are added to `sums[0]` and `sums[1]` as
    /// above, edges that it has lost to `sums[2]` and `sums[3]`.
    void (*metric_edge_errors)(
        double *sums, const float *row1, const float *mean1, const float *row2, const float *mean2, size_t count);

    /// Adds up the structural similarities (SSIM, Wang et al. 2004) of luma in 0…255, from the same blurred rows.
    void (*metric_similarity_sum)(
        double *sum, const float *mean1, const float *mean2, const float *squares1, const float *squares2,
        const float *products, size_t count);

    /// Returns the sum of the squared differences of blue, green and red.
    uint64_t (*metric_squared_differences)(const uint8_t *first, const uint8_t *second, size_t width);

    // HaarPSI. Its images have half the width and height.

    /// Computes a row of YIQ colours (luma, orange to blue, purple to green) from two rows of BGRA pixels: means of two
    /// by two pixels, where those outside of the image are black. `lower` is NULL below the image. Writes zeros from
    /// the last value to the next multiple.
    void (*haar_colors)(
        float *luma, float *orange, float *green, const uint8_t *upper, const uint8_t *_Nullable lower, size_t width);

    /// Computes the horizontal halves of Haar wavelets of 2, 4 and 8 samples: the sums of the samples around each
    /// place, and the left ones minus the right ones. The windows begin 0, 1 and 3 samples before the place.
    void (*haar_row)(
        float *_Nonnull const *_Nonnull sums, float *_Nonnull const *_Nonnull differences, const float *row,
        size_t count);

    /// Computes the magnitude of the wavelet of `size` × `size` samples from that number of rows: the upper ones minus
    /// the lower ones, or their sum, divided by `size`.
    void (*haar_column)(
        float *destination, const float *_Nonnull const *_Nonnull rows, size_t count, int size, bool is_difference);

    /// Adds the weighted similarities of two images to `sums[0]` and their weights to `sums[1]`. Each image has eight
    /// rows of magnitudes: horizontal edges at three sizes, vertical edges at three sizes, and two of chroma.
    void (*haar_similarities)(
        double *sums, const float *_Nonnull const *_Nonnull first, const float *_Nonnull const *_Nonnull second,
        size_t count);

    texel_butteraugli_kernels butteraugli;

    // JPEG. A block is 64 words, row by row.

    /// Computes weighted sums of blue, green and red plus an offset, all in 1/32,768, as words in 1/16, rounded to
    /// `fraction_bits`, 0…4. The magnitudes of the factors must add up to less than two, and every result must fit 16
    /// bits.
    void (*bgra_to_words_row)(
        int16_t *destination, const uint8_t *source, size_t width, const int16_t *factors, int32_t offset,
        int fraction_bits);

    /// Splits eight consecutive rows of `count` × 8 words into blocks.
    void (*cut_blocks)(int16_t *blocks, const int16_t *rows, size_t count);

    /// Transforms blocks in place. Samples are centred on neutral, -180…180, with 0…6 fraction bits; the results are
    /// sixteen times the coefficients (ITU-T T.81, A.3.3), with an error of at most two.
    void (*forward_dct)(int16_t *blocks, size_t count, int fraction_bits);

    /// Divides a block's coefficients by `steps`, 1…8160 in the same unit, rounded, and limits the magnitudes to 1,023.
    void (*quantize_block)(int16_t *result, const int16_t *coefficients, const uint16_t *steps);

    texel_trellis_kernels trellis;

    // Chroma of half the resolution. Samples are centred on zero.

    /// Adds the squared errors of a row of chroma samples, in 1/256 of a squared 8-bit step, if a decoder interpolates
    /// them from two rows of half the width: `near` has weight 3/4 and `far` 1/4, in both directions. `original` is in
    /// 1/16 of an 8-bit step, 128 steps at most, and the halved rows are in 1/64.
    void (*chroma_loss_row)(
        int32_t *losses, const int16_t *original, const int16_t *near, const int16_t *far, size_t width);

    /// Adds each eight of `width` losses to an element of `blocks`; returns how many losses exceed `limit`.
    size_t (*add_chroma_losses)(uint32_t *blocks, const int32_t *losses, size_t width, int32_t limit);

    // Windows. Weights are not negative and add up to 32,768. Each product of `window_rows`, `window_row` and
    // `enlarge_rows` is rounded: (a × b + 2¹⁴) >> 15. For the room of rows of words, see `texel_window_multiple`.

    /// Applies a symmetric filter across 2 × `radius` + 1 rows: word i = weights[0] × 64 × the byte of the middle row,
    /// plus weights[k] × 64 × (the byte k rows above + the byte k rows below). `weights` has `radius` + 1 entries;
    /// `radius` is at most `texel_window_radius`.
    void (*window_rows)(
        int16_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, size_t count, const int16_t *weights,
        size_t radius);

    /// Applies the same filter along a row of words in 1/64, with four words per pixel, and rounds to bytes. The caller
    /// provides `radius` more pixels before and after `source`.
    void (*window_row)(
        uint8_t *destination, const int16_t *source, size_t count, const int16_t *weights, size_t radius);

    /// Filters bytes vertically into words: word i = (Σ weights[k] × byte i of row k + 128) >> 8, in 1/128. `taps` is
    /// any positive number.
    void (*shrink_rows)(
        int16_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
        size_t count);

    /// Filters words in 1/128 vertically into bytes, rounded. `taps` is at most 32.
    void (*enlarge_rows)(
        uint8_t *destination, const int16_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
        size_t count);

    /// Sharpens straight or opaque pixels by the difference from a blurred, premultiplied image: colour + (d × 16 ×
    /// amount + 2¹⁴) >> 15, clamped, with d = (colour × blurred alpha + 127) / 255 − blurred colour. Colours with
    /// |d| below the threshold and alpha do not change. `amount`, 0…32,767, is in 1/2048. `destination` may be
    /// `source`.
    void (*sharpen_row)(
        uint8_t *destination, const uint8_t *source, const uint8_t *blurred, size_t width, int amount, int threshold);

    /// Moves a window down by a row: adds the bytes of one row to the sums and subtracts those of another.
    void (*move_sums)(uint32_t *sums, const uint8_t *added, const uint8_t *removed, size_t count);

    /// Computes the means of a window from its columns' sums, four per pixel. The caller provides `radius` more pixels
    /// before and after `sums`.
    void (*box_row)(uint8_t *destination, const uint32_t *sums, size_t width, const texel_box *box);

    // Medians, per channel. The caller provides half a window of pixels before and after each row, and then
    // `texel_median_padding`.

    /// Computes the medians of 3 × 3 pixels from three rows of `count` bytes.
    void (*median_3_row)(uint8_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, size_t count);

    /// Computes the medians of 5 × 5 pixels.
    void (*median_5_row)(uint8_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, size_t count);

    /// Computes the medians of `size` × `size` pixels; `size` is odd and at most 15.
    void (*median_row)(
        uint8_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, size_t count, size_t size);

    // Compositing.

    /// Blends a source with the backdrop in `destination`, whose alpha mode stays. Channels are rounded once, within
    /// 0.51 of the formula. In the mode `normal` over an opaque or premultiplied backdrop, the product of alpha and
    /// opacity is rounded before, and premultiplied colours too: within 1, or 1.5 for a premultiplied source. Pixels
    /// under a transparent source keep their bytes. Premultiplied colours above alpha count as alpha, except those of a
    /// backdrop in these cases.
    void (*blend_row)(uint8_t *destination, const uint8_t *source, size_t width, const texel_blend *blend);

    /// Multiplies alpha by a byte per pixel, and premultiplied colours too: (value × coverage + 127) / 255.
    /// `destination` may be `source`.
    void (*cover_row)(
        uint8_t *destination, const uint8_t *source, const uint8_t *coverage, size_t width, bool is_premultiplied);
} texel_kernels;

/// Returns the best level that this machine supports.
texel_cpu_level texel_best_cpu_level(void);

/// Returns the level in use: the best one, or the one that the environment variable TEXEL_CPU names (`baseline`, `v2`,
/// `v3`, `v4`) if the machine supports it. Decided at the first call.
texel_cpu_level texel_cpu_level_in_use(void);

/// Returns the name of a level, as in TEXEL_CPU.
const char *texel_cpu_level_name(texel_cpu_level level);

/// Returns the kernels of the level in use.
const texel_kernels *texel_kernels_in_use(void);

/// Returns the kernels of one level, or NULL if the machine does not support it.
const texel_kernels *_Nullable texel_kernels_at(texel_cpu_level level);

#pragma clang assume_nonnull end

#endif
