#ifndef ARCHIVE_LIBRARY_H
#define ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

// The functions that Texel calls. Code calls them as `la.archive_read_new()`. All have existed since libarchive 3.3.3,
// which was the first to read zstd.
#define TEXEL_ARCHIVE_FUNCTIONS(FUNCTION)       \
    FUNCTION(archive_version_string)            \
    FUNCTION(archive_error_string)              \
    FUNCTION(archive_errno)                     \
    FUNCTION(archive_read_new)                  \
    FUNCTION(archive_read_free)                 \
    FUNCTION(archive_read_support_format_tar)   \
    FUNCTION(archive_read_support_format_zip)   \
    FUNCTION(archive_read_support_filter_gzip)  \
    FUNCTION(archive_read_support_filter_bzip2) \
    FUNCTION(archive_read_support_filter_xz)    \
    FUNCTION(archive_read_support_filter_zstd)  \
    FUNCTION(archive_read_open_fd)              \
    FUNCTION(archive_read_next_header)          \
    FUNCTION(archive_read_data)                 \
    FUNCTION(archive_entry_pathname)            \
    FUNCTION(archive_entry_pathname_utf8)       \
    FUNCTION(archive_entry_filetype)            \
    FUNCTION(archive_entry_hardlink)            \
    FUNCTION(archive_entry_size)                \
    FUNCTION(archive_entry_size_is_set)         \
    FUNCTION(archive_entry_is_data_encrypted)   \
    FUNCTION(archive_entry_new)                 \
    FUNCTION(archive_entry_clone)               \
    FUNCTION(archive_entry_free)                \
    FUNCTION(archive_entry_set_pathname)        \
    FUNCTION(archive_entry_set_size)            \
    FUNCTION(archive_entry_set_filetype)        \
    FUNCTION(archive_entry_set_perm)            \
    FUNCTION(archive_entry_set_mtime)           \
    FUNCTION(archive_write_new)                 \
    FUNCTION(archive_write_free)                \
    FUNCTION(archive_write_set_format_zip)      \
    FUNCTION(archive_write_zip_set_compression_store)   \
    FUNCTION(archive_write_zip_set_compression_deflate) \
    FUNCTION(archive_write_set_format_pax_restricted)   \
    FUNCTION(archive_write_add_filter_gzip)     \
    FUNCTION(archive_write_add_filter_zstd)     \
    FUNCTION(archive_write_set_filter_option)   \
    FUNCTION(archive_write_set_bytes_in_last_block)     \
    FUNCTION(archive_write_open)                \
    FUNCTION(archive_write_header)              \
    FUNCTION(archive_write_data)                \
    FUNCTION(archive_write_finish_entry)        \
    FUNCTION(archive_write_close)

#define FUNCTION(name) __typeof__(&name) name;
/// Valid after `texel_archive_load` has returned true.
extern struct texel_archive_functions {
    TEXEL_ARCHIVE_FUNCTIONS(FUNCTION)
} la;
#undef FUNCTION

#endif
