#include "pixel_kernels.h"
