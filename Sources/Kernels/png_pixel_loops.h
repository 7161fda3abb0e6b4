// Unfiltering in steps of one pixel of up to PIXEL_BYTES bytes. Included by png_loops.h once for each value. Each pixel
// depends on the one before it. If a pixel has fewer than PIXEL_BYTES bytes, the next step overwrites the excess; rows
// therefore need room for PIXEL_BYTES more bytes.

#define JOIN_NAMES(name, bytes) name##bytes
#define WITH_PIXEL_BYTES(name, bytes) JOIN_NAMES(name, bytes)
#define PIXEL_NAME(name) WITH_PIXEL_BYTES(name, PIXEL_BYTES)
#define i16xN PIXEL_NAME(i16x)
#define u8xN PIXEL_NAME(u8x)
#define i16xN_bytes PIXEL_NAME(i16_bytes_)

typedef int16_t i16xN __attribute__((ext_vector_type(PIXEL_BYTES)));
typedef uint8_t u8xN __attribute__((ext_vector_type(PIXEL_BYTES)));
typedef uint8_t i16xN_bytes __attribute__((ext_vector_type(2 * PIXEL_BYTES)));

HELPER i16xN PIXEL_NAME(load_pixel_)(const uint8_t *bytes) {
    u8xN pixel;
    memcpy(&pixel, bytes, PIXEL_BYTES);
    return CONVERT(pixel, i16xN);
}

/// Returns the pixel whose difference from its prediction is `difference`.
HELPER i16xN PIXEL_NAME(restore_pixel_)(int filter, i16xN difference, i16xN left, i16xN above, i16xN corner) {
    i16xN prediction;
    if (filter == 1) {
        prediction = left;
    } else if (filter == 3) {
        prediction = (left + above) >> (int16_t)1;
    } else {
        i16xN to_left = above - corner, to_above = left - corner, to_corner = to_left + to_above;
        to_left = __builtin_elementwise_abs(to_left);
        to_above = __builtin_elementwise_abs(to_above);
        to_corner = __builtin_elementwise_abs(to_corner);
        i16xN nearest = __builtin_elementwise_min(to_corner, __builtin_elementwise_min(to_left, to_above));
        i16xN is_left = nearest == to_left, is_above = nearest == to_above;
        i16xN other = (above & is_above) | (corner & ~is_above);
        prediction = (left & is_left) | (other & ~is_left);
    }
    return (i16xN)((i16xN_bytes)difference + (i16xN_bytes)prediction); // the upper bytes are zero and stay so
}

HELPER void PIXEL_NAME(store_pixel_)(uint8_t *bytes, i16xN value) {
    u8xN pixel = CONVERT(value, u8xN);
    memcpy(bytes, &pixel, PIXEL_BYTES);
}

HELPER void PIXEL_NAME(unfilter_row_)(
    uint8_t *destination, const uint8_t *filtered, const uint8_t *above_row, size_t count, size_t channels,
    int filter) {
    i16xN left = 0, corner = 0;
    for (size_t begin = 0; begin < count; begin += channels) {
        i16xN above = PIXEL_NAME(load_pixel_)(above_row + begin);
        left = PIXEL_NAME(restore_pixel_)(
            filter, PIXEL_NAME(load_pixel_)(filtered + begin), left, above, corner);
        corner = above;
        PIXEL_NAME(store_pixel_)(destination + begin, left);
    }
}

#undef i16xN
#undef u8xN
#undef i16xN_bytes
#undef PIXEL_NAME
#undef WITH_PIXEL_BYTES
#undef JOIN_NAMES
