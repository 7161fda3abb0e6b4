#ifndef JPEG_CLIENT_H
#define JPEG_CLIENT_H

/// What the functions that replace some of libjpeg's find through `client_data`. NULL for what is not in use.
typedef struct {
    struct jpeg_own_scan *scan;
    struct jpeg_own_coefficients *coefficients;
    struct jpeg_dc_arrays *dc_arrays;
} jpeg_client;

#endif
