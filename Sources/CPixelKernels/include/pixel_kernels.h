// The hot loops of the pixel filters: plain C, compiled once per CPU level, chosen once per process.
//
// Every level gives the same bytes: integers only, and no sum may overflow (the callers prove it for their weights). The
// metrics compute in floating point, each step rounded by itself and sums in a fixed order.
// Pixels are BGRA, 8 bits a channel ("u8"), or four int16_t a pixel in the same order, 0…32767 ("u16"), for linear
// light. No row needs to be aligned. Rows may be longer than what is read; nothing outside the stated range is touched.

#ifndef PIXEL_KERNELS_H
#define PIXEL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The x86-64 feature levels that have kernels of their own; other processors know only the baseline.
typedef enum texel_cpu_level {
    texel_cpu_baseline = 0,
    /// SSE 4.2
    texel_cpu_v2 = 1,
    /// AVX2
    texel_cpu_v3 = 2,
    /// AVX-512 F, BW, VL, DQ
    texel_cpu_v4 = 3,
} texel_cpu_level;

/// How many taps a horizontal filter's windows are a multiple of: of BGRA pixels, and of a plane's samples.
enum { texel_horizontal_tap_multiple = 4, texel_plane_tap_multiple = 8 };

/// How many rows a band has, and what the taps and starts of its windows are a multiple of.
enum { texel_band_rows = 8, texel_band_tap_multiple = 2 };

/// How many pixels of a band lie ready for its filter: so many that most of them need not be moved when it goes on.
static inline size_t texel_band_tiles(size_t taps) { return 2 * taps + 64; }

/// How much scratch a band's filter wants, in samples.
static inline size_t texel_band_scratch(size_t taps) { return texel_band_tiles(taps) * texel_band_rows * 4; }

/// What rows of colour differences in words are a multiple of: their kernels read and write whole vectors of so many.
enum { texel_chroma_multiple = 32 };

/// What the rows of the metrics are a multiple of, in floats, with as much room before and behind: their kernels read and
/// write whole vectors, and blurs look beyond the ends, where zeros should lie.
enum { texel_metric_multiple = 16 };

/// From YUV to RGB: red = luma × Y − black + red_v × V and so on. Factors in 1/8192, `black` in 1/32 and lowered by a half
/// of 255, for rounding.
typedef struct texel_yuv_matrix {
    int16_t luma, black, red_v, green_u, green_v, blue_u;
} texel_yuv_matrix;

/// From RGB to YUV: the factors of blue, green and red in 1/32,768, which for luma add up to at most one, and for U and V
/// to nothing. `black` in the same measure, with a half for rounding.
typedef struct texel_rgb_matrix {
    int16_t luma[3], u[3], v[3];
    int32_t black;
} texel_rgb_matrix;

/// How far the recursive blur looks, in samples.
enum { texel_blur_radius = 5 };

/// A Gaussian as the sum of three oscillators: output = down_input × (the sum of two samples) − down_previous × (the last
/// output) − (the one before). Across, four outputs are made at once: what each owes to its input and those before it, and
/// to the last output before the four and to the one before that.
typedef struct texel_recursive_blur {
    float down_input[3], down_previous[3];
    float across_input[3][4], across_previous[3][4], across_before[3][4];
} texel_recursive_blur;

/// One level's kernels. No two arguments overlap unless it is said.
typedef struct texel_kernels {
    texel_cpu_level level;

    /// Filters a row: output pixel `i` is the sum of `taps` pixels from `starts[i]` on, each times its weight in
    /// `weights[i * taps…]`, rounded, shifted right by `shift`, clamped to 0…255.
    /// `taps` is a positive multiple of `texel_horizontal_tap_multiple`; `shift` is 1…30.
    void (*resample_horizontal_u8)(
        uint8_t *destination, const uint8_t *source, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift);

    /// The same for a plane of one byte a pixel. `taps` is a positive multiple of `texel_plane_tap_multiple`.
    void (*resample_horizontal_plane)(
        uint8_t *destination, const uint8_t *source, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift);
    /// Filters a band of `texel_band_rows` rows, which are `source_width` pixels wide; beyond that they count as 0.
    /// Fewer rows: some of `sources` are the same, and so are their destinations.
    ///
    /// As `resample_horizontal_u8` otherwise, but that `taps` and all `starts` are multiples of
    /// `texel_band_tap_multiple`, the starts never decrease, and that the pixels may be multiplied by alpha first, as by
    /// `premultiply_row`. `scratch` has `texel_band_scratch(taps)` samples; best aligned to 64 bytes.
    /// `next_band` is a hint: how many bytes further the next band's rows lie in memory; 0 if nowhere yet.
    void (*resample_horizontal_band)(
        uint8_t *_Nonnull const *_Nonnull destinations, const uint8_t *_Nonnull const *_Nonnull sources,
        ptrdiff_t next_band, size_t source_width, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift, int16_t *scratch, int premultiplies);

    /// Rows become columns of a plane of one byte a pixel: sample (x, y) of the destination, which is `width` × `height`,
    /// is sample (y, x) of the source. The strides are bytes from row to row and may be negative.
    void (*transpose_plane)(
        uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride,
        size_t width, size_t height);

    /// Filters a column of rows: byte `i` is the sum of byte `i` of `taps` rows, each times its weight, rounded,
    /// shifted right by `shift`, clamped to 0…255. Any positive number of taps.
    void (*resample_vertical_u8)(
        uint8_t *destination, const uint8_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
        size_t byte_count, int shift);

    /// The same for 15-bit samples, clamped to 0…32767.
    void (*resample_horizontal_u16)(
        int16_t *destination, const int16_t *source, size_t width, const int32_t *starts, const int16_t *weights,
        size_t taps, int shift);

    /// The same for 15-bit samples, clamped to 0…32767. `sample_count` is four times the width.
    void (*resample_vertical_u16)(
        int16_t *destination, const int16_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
        size_t sample_count, int shift);

    /// Colour = (colour × alpha + 127) / 255. `destination` may be `source`.
    void (*premultiply_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Colour = min(255, (colour × 255 + alpha / 2) / alpha), 0 where alpha is 0. `destination` may be `source`.
    void (*unpremultiply_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Colour = min(colour, alpha): ringing of a filter may have left the premultiplied range.
    /// `destination` may be `source`.
    void (*limit_to_alpha_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// Straight or premultiplied pixels on an opaque background (0x??RRGGBB): colour = (colour × alpha + background ×
    /// (255 − alpha) + 127) / 255, where a premultiplied colour, at most alpha, counts as divided by alpha / 255.
    /// `destination` may be `source`.
    void (*flatten_row)(
        uint8_t *destination, const uint8_t *source, size_t width, uint32_t background, bool is_premultiplied);

    /// Straight u8 to premultiplied linear light. `curve` has 256 entries, 0…32767; alpha is scaled to 0…32767.
    void (*linearise_row)(int16_t *destination, const uint8_t *source, size_t width, const uint16_t *curve);

    /// Premultiplied linear light to straight u8. `curve` has 32,768 entries. Samples must be in 0…32767.
    void (*delinearise_row)(uint8_t *destination, const int16_t *source, size_t width, const uint8_t *curve);

    // PNG. `channels` is the number of bytes that a pixel has, at least 1. Zero bytes, as many, lie before the first of
    // `row` and of `above`; above the first row all bytes are zero.

    /// For each of PNG's five filters, the sum of the magnitudes of the filtered bytes, read as signed numbers.
    void (*png_filter_costs)(
        uint64_t *costs, const uint8_t *row, const uint8_t *above, size_t count, size_t channels);

    /// Filters `count` bytes with the filter 0…4 of the PNG specification.
    void (*png_filter_row)(
        uint8_t *destination, const uint8_t *row, const uint8_t *above, size_t count, size_t channels, int filter);

    /// Undoes `png_filter_row`; nothing need lie before the rows, but all three have room for eight bytes more.
    /// `channels` is 1, 2, 3, 4, 6 or 8.
    void (*png_unfilter_row)(
        uint8_t *destination, const uint8_t *filtered, const uint8_t *above, size_t count, size_t channels,
        int filter);

    /// Undoes the filters of two rows, the first of which lies above the second, like two calls of `png_unfilter_row`.
    void (*png_unfilter_two_rows)(
        uint8_t *_Nonnull const *_Nonnull destinations, const uint8_t *_Nonnull const *_Nonnull filtered,
        const uint8_t *above, size_t count, size_t channels, const int *filters);

    /// Big-endian samples of 16 bits to 8: (sample × 255 + 32,895) >> 16, which is the nearest of 255 steps.
    void (*png_narrow_row)(uint8_t *destination, const uint8_t *source, size_t count);

    /// RGB to opaque BGRA.
    void (*unpack_rgb_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// BGRA to RGB.
    void (*pack_rgb_row)(uint8_t *destination, const uint8_t *source, size_t width);

    /// BGRA to RGBA, and back.
    void (*pack_rgba_row)(uint8_t *destination, const uint8_t *source, size_t width);

    // YUV. A sample has one byte, or two (little endian) that hold ten bits; more than 1023 counts as 1023. Colour
    // differences are words in 1/128 of an eighth bit's step around neutral, and their rows have room for a multiple of
    // `texel_chroma_multiple`; what lies behind `count` there is not said.

    /// Colour differences become words.
    void (*widen_chroma_row)(int16_t *destination, const uint8_t *source, int sample_bytes, size_t count);

    /// The same for `count` samples of which the even ones belong apart from the odd ones: those of U and V in NV12, or
    /// those of even and odd columns.
    void (*split_chroma_row)(
        int16_t *even, int16_t *odd, const uint8_t *source, int sample_bytes, size_t count);

    /// Twice as many columns: `count` words each for the even and the odd ones. Two words before and behind the source
    /// belong to it. Cubic convolution (B = 0, C = 0.6), centred; limited to what a byte holds at the upper end, as
    /// ffmpeg does.
    void (*double_chroma_row)(int16_t *even, int16_t *odd, const int16_t *source, size_t count);

    /// Two of twice as many rows: those below and above the middle of `rows[1]` and `rows[2]`, of four rows in sequence.
    /// The same convolution, not limited.
    void (*blend_chroma_rows)(
        int16_t *upper, int16_t *lower, const int16_t *_Nonnull const *_Nonnull rows, size_t count);

    /// Opaque BGRA. `chroma` points to the words of U in even columns; U in odd ones, V in even and odd ones follow, each
    /// `part` words further. None: grey. Pixels may go past the cache into memory: cheaper, where so many are written
    /// before the first is read that it would be gone.
    void (*yuv_to_bgra_row)(
        uint8_t *destination, const uint8_t *luma, int sample_bytes, const int16_t *_Nullable chroma, ptrdiff_t part,
        size_t width, const texel_yuv_matrix *matrix, int passes_cache);

    // The way back, where the words of colour differences are in 1/64. Alpha is not looked at.

    /// Luma, rounded.
    void (*bgra_to_luma_row)(
        uint8_t *destination, const uint8_t *source, size_t width, const texel_rgb_matrix *matrix);

    /// Colour differences of all columns, laid out as `yuv_to_bgra_row` has them.
    void (*bgra_to_chroma_row)(
        int16_t *chroma, ptrdiff_t part, const uint8_t *source, size_t width, const texel_rgb_matrix *matrix);

    /// Half as many columns, `count`, from even and odd ones. Two words before and behind both belong to them. The same
    /// convolution, stretched to eight columns.
    void (*halve_chroma_row)(int16_t *destination, const int16_t *even, const int16_t *odd, size_t count);

    /// One row of eight in sequence, by the same.
    void (*halve_chroma_rows)(int16_t *destination, const int16_t *_Nonnull const *_Nonnull rows, size_t count);

    /// Words become samples of a byte, rounded and limited.
    void (*narrow_chroma_row)(uint8_t *destination, const int16_t *source, size_t count);

    /// The same for `count` samples of which the even ones and the odd ones lie apart.
    void (*zip_chroma_row)(uint8_t *destination, const int16_t *even, const int16_t *odd, size_t count);

    // Live frames.

    /// Of two rows of a plane one of half the width, rounded up: the averages of two by two samples, rounded. The last
    /// of an odd width counts twice.
    void (*halve_rows)(uint8_t *destination, const uint8_t *upper, const uint8_t *lower, size_t width);

    /// Each byte = (first × (256 − weight) + second × weight + 128) / 256; the weight is 0…256. `destination` may be
    /// one of the sources.
    void (*mix_row)(uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t width, int weight);

    // The quality metrics. Rows of floats are as `texel_metric_multiple` says.

    /// The linear light of BGRA pixels: `curve` has 256 entries. Alpha is not looked at.
    void (*metric_light_row)(
        float *red, float *green, float *blue, const uint8_t *source, size_t width, const float *curve);

    /// Of two rows one of half the width, rounded up: the averages of two by two. The last of an odd width counts twice.
    void (*metric_halve_rows)(float *destination, const float *upper, const float *lower, size_t width);

    /// Linear light of 0…1 as SSIMULACRA2 looks at it: XYB, moved into 0…1, with the luma taken from B; zeros behind
    /// `count` up to the multiple.
    void (*metric_xyb_row)(
        float *x_row, float *y_row, float *b_row, const float *red, const float *green, const float *blue,
        size_t count);

    /// The luma of BT.601, 0…255, of BGRA pixels.
    void (*metric_luma_row)(float *destination, const uint8_t *source, size_t width);

    /// first × second, first² and second².
    void (*metric_multiply_rows)(
        float *products, float *first_squares, float *second_squares, const float *first, const float *second,
        size_t count);

    /// A symmetric filter along the row: `weights` has `radius` + 1 entries, that of the middle first; the radius is at
    /// most `texel_metric_multiple`.
    void (*metric_window_row)(
        float *destination, const float *source, size_t count, const float *weights, int radius);

    /// The same across 2 × `radius` + 1 rows.
    void (*metric_window_rows)(
        float *destination, const float *_Nonnull const *_Nonnull rows, size_t count, const float *weights, int radius);

    /// Blurs rows from left to right. Any number of them, each with a destination of its own.
    void (*metric_blur_across)(
        float *_Nonnull const *_Nonnull destinations, const float *_Nonnull const *_Nonnull sources, size_t row_count,
        size_t width, const texel_recursive_blur *blur);

    /// Blurs downwards: row y from rows y − (radius + 1), `upper`, and y + (radius − 1), `lower`, where rows outside of the
    /// picture are zero, and from what the three oscillators gave for the two rows above. Their new outputs take the
    /// place of those in `before`. The first call is for row 1 − radius, with zeros.
    void (*metric_blur_down)(
        float *destination, float *_Nonnull const *_Nonnull before, const float *_Nonnull const *_Nonnull previous,
        const float *upper, const float *lower, size_t count, const texel_recursive_blur *blur);

    /// SSIMULACRA2's structural errors, from the blurred rows, products and squares of two pictures: their sum is added
    /// to `sums[0]`, that of their fourth powers to `sums[1]`.
    void (*metric_structure_errors)(
        double *sums, const float *mean1, const float *mean2, const float *squares1, const float *squares2,
        const float *products, size_t count);

    /// SSIMULACRA2's edges that the second picture has and the first has not, likewise in `sums[0]` and `sums[1]`, and
    /// those that it has lost in `sums[2]` and `sums[3]`.
    void (*metric_edge_errors)(
        double *sums, const float *row1, const float *mean1, const float *row2, const float *mean2, size_t count);

    /// Adds up the structural similarities (Wang et al. 2004) of luma in 0…255, from the same blurred rows.
    void (*metric_similarity_sum)(
        double *sum, const float *mean1, const float *mean2, const float *squares1, const float *squares2,
        const float *products, size_t count);

    /// The sum of the squared differences of blue, green and red.
    uint64_t (*metric_squared_differences)(const uint8_t *first, const uint8_t *second, size_t width);

    // JPEG. A block is 64 words, row by row.

    /// Sums of blue, green and red, each times its factor, plus an offset, all in 1/32,768: words of 1/16, rounded. The
    /// magnitudes of the factors add up to less than two, and no result may be more than a word.
    void (*bgra_to_words_row)(
        int16_t *destination, const uint8_t *source, size_t width, const int16_t *factors, int32_t offset);

    /// Cuts eight rows of `count` × 8 words, one after the other, into blocks.
    void (*cut_blocks)(int16_t *blocks, const int16_t *rows, size_t count);

    /// Blocks of samples around neutral, -180…180 with 0…6 bits of fraction, become sixteen times their coefficients
    /// (ITU-T T.81, A.3.3), in place, within two.
    void (*forward_dct)(int16_t *blocks, size_t count, int fraction_bits);

    /// Divides a block's coefficients by their steps, 1…8160, in the same measure, rounded; at most 1,023 either way.
    void (*quantize_block)(int16_t *result, const int16_t *coefficients, const uint16_t *steps);
} texel_kernels;

/// The best level that this machine has.
texel_cpu_level texel_best_cpu_level(void);

/// The level in use: the best one, or the one that the environment variable TEXEL_CPU names
/// (`baseline`, `v2`, `v3`, `v4`) when the machine has it. Decided at the first call.
texel_cpu_level texel_cpu_level_in_use(void);

/// The level as TEXEL_CPU names it.
const char *texel_cpu_level_name(texel_cpu_level level);

/// The kernels of the level in use.
const texel_kernels *texel_kernels_in_use(void);

/// The kernels of one level; NULL when the machine lacks it.
const texel_kernels *_Nullable texel_kernels_at(texel_cpu_level level);

#pragma clang assume_nonnull end

#endif
