#ifndef LIBAV_LIBRARY_H
#define LIBAV_LIBRARY_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// The functions that Texel calls. Code calls them as `av.avcodec_open2(…)`.
#define TEXEL_AVUTIL_FUNCTIONS(FUNCTION) \
    FUNCTION(av_version_info)            \
    FUNCTION(av_log_set_callback)        \
    FUNCTION(av_strerror)                \
    FUNCTION(av_malloc)                  \
    FUNCTION(av_freep)                   \
    FUNCTION(av_dict_get)                \
    FUNCTION(av_dict_parse_string)       \
    FUNCTION(av_dict_set)                \
    FUNCTION(av_dict_set_int)            \
    FUNCTION(av_dict_free)               \
    FUNCTION(av_buffer_pool_init)        \
    FUNCTION(av_buffer_pool_get)         \
    FUNCTION(av_buffer_pool_uninit)      \
    FUNCTION(av_frame_alloc)             \
    FUNCTION(av_frame_free)              \
    FUNCTION(av_frame_get_buffer)        \
    FUNCTION(av_frame_get_side_data)     \
    FUNCTION(av_frame_make_writable)     \
    FUNCTION(av_frame_move_ref)          \
    FUNCTION(av_frame_unref)             \
    FUNCTION(av_get_media_type_string)   \
    FUNCTION(av_get_pix_fmt_name)        \
    FUNCTION(av_pix_fmt_count_planes)    \
    FUNCTION(av_pix_fmt_desc_get)        \
    FUNCTION(av_image_get_buffer_size)   \
    FUNCTION(av_image_fill_arrays)       \
    FUNCTION(av_image_get_linesize)      \
    FUNCTION(av_opt_set_int)             \
    FUNCTION(av_rescale_q)

#define TEXEL_AVCODEC_FUNCTIONS(FUNCTION)   \
    FUNCTION(avcodec_find_decoder)          \
    FUNCTION(avcodec_find_decoder_by_name)  \
    FUNCTION(avcodec_find_encoder_by_name)  \
    FUNCTION(avcodec_default_get_buffer2)   \
    FUNCTION(avcodec_get_class)             \
    FUNCTION(avcodec_get_name)              \
    FUNCTION(avcodec_profile_name)          \
    FUNCTION(avcodec_alloc_context3)        \
    FUNCTION(avcodec_free_context)          \
    FUNCTION(avcodec_flush_buffers)         \
    FUNCTION(avcodec_parameters_from_context) \
    FUNCTION(avcodec_parameters_to_context) \
    FUNCTION(avcodec_open2)                 \
    FUNCTION(avcodec_send_packet)           \
    FUNCTION(avcodec_receive_frame)         \
    FUNCTION(avcodec_send_frame)            \
    FUNCTION(avcodec_receive_packet)        \
    FUNCTION(av_packet_alloc)               \
    FUNCTION(av_packet_free)                \
    FUNCTION(av_packet_rescale_ts)          \
    FUNCTION(av_packet_unref)

#define TEXEL_AVFORMAT_FUNCTIONS(FUNCTION)  \
    FUNCTION(av_find_input_format)          \
    FUNCTION(av_index_search_timestamp)     \
    FUNCTION(av_interleaved_write_frame)    \
    FUNCTION(av_probe_input_buffer2)        \
    FUNCTION(av_read_frame)                 \
    FUNCTION(av_seek_frame)                 \
    FUNCTION(av_write_trailer)              \
    FUNCTION(avformat_alloc_context)        \
    FUNCTION(avformat_alloc_output_context2) \
    FUNCTION(avformat_close_input)          \
    FUNCTION(avformat_find_stream_info)     \
    FUNCTION(avformat_free_context)         \
    FUNCTION(avformat_get_class)            \
    FUNCTION(avformat_index_get_entries_count) \
    FUNCTION(avformat_index_get_entry)      \
    FUNCTION(avformat_new_stream)           \
    FUNCTION(avformat_open_input)           \
    FUNCTION(avformat_write_header)         \
    FUNCTION(avio_alloc_context)            \
    FUNCTION(avio_context_free)

#define TEXEL_SWSCALE_FUNCTIONS(FUNCTION) \
    FUNCTION(sws_alloc_context)           \
    FUNCTION(sws_init_context)            \
    FUNCTION(sws_freeContext)             \
    FUNCTION(sws_getCoefficients)         \
    FUNCTION(sws_setColorspaceDetails)    \
    FUNCTION(sws_scale)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_libav_load` has returned true.
extern struct texel_libav_functions {
    TEXEL_AVUTIL_FUNCTIONS(FUNCTION)
    TEXEL_AVCODEC_FUNCTIONS(FUNCTION)
    TEXEL_AVFORMAT_FUNCTIONS(FUNCTION)
    TEXEL_SWSCALE_FUNCTIONS(FUNCTION)
} av;
#undef FUNCTION

#endif
