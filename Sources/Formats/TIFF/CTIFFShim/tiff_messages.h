#ifndef TIFF_MESSAGES_H
#define TIFF_MESSAGES_H

#include "codec_report.h"
#include "tiff_library.h"

/// Returns options whose messages go to `report`, or NULL if memory runs out.
TIFFOpenOptions *texel_tiff_options(texel_codec_report *report, size_t max_allocation);

#endif
