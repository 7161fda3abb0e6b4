// A target needs a source file; the headers are all that this one has.
#include "codec_input.h"
#include "codec_report.h"
