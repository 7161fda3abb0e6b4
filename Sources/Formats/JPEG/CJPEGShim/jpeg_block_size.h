#ifndef JPEG_BLOCK_SIZE_H
#define JPEG_BLOCK_SIZE_H

// The samples that the decoder makes from a block, across and down. libjpeg 7 and later scale each direction
// separately.
#if JPEG_LIB_VERSION >= 70
#define BLOCK_WIDTH(component) ((component)->DCT_h_scaled_size)
#define BLOCK_HEIGHT(component) ((component)->DCT_v_scaled_size)
#else
#define BLOCK_WIDTH(component) ((component)->DCT_scaled_size)
#define BLOCK_HEIGHT(component) ((component)->DCT_scaled_size)
#endif

#endif
