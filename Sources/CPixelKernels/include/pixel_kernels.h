#ifndef PIXEL_KERNELS_H
#define PIXEL_KERNELS_H
#endif
