#ifndef AVIF_DECODER_H
#define AVIF_DECODER_H

#include "avif_library.h"
#include "avif_shim.h"

struct texel_avif_decoder {
    avifIO io;
    texel_codec_input input;
    texel_avif_decoder_settings settings;
    avifDecoder *decoder;
    avifImage *view; ///< some rows of the image
    bool is_parsed, is_stopped;
};

#endif
