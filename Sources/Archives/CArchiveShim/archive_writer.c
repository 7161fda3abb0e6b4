#ifdef TEXEL_ARCHIVES

#include "archive_common.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct texel_archive_writer {
    struct archive *archive;
    bool is_zip;
    int descriptor;
    int write_error;   ///< a value of errno
    bool is_abandoned; ///< whether nothing more is written
};

/// Writes bytes of the archive. Once that has failed, the rest is thrown away: libarchive does not free all of its
/// memory after an error here.
static la_ssize_t write_bytes(struct archive *archive, void *context, const void *bytes, size_t count) {
    (void)archive;
    texel_archive_writer *writer = context;
    const unsigned char *rest = bytes;
    size_t left = count;
    while (left > 0 && !writer->write_error && !writer->is_abandoned) {
        ssize_t written = write(writer->descriptor, rest, left);
        if (written < 0) {
            if (errno != EINTR) writer->write_error = errno;
            continue;
        }
        rest += written;
        left -= (size_t)written;
    }
    return (la_ssize_t)count;
}

/// Converts a code of libarchive.
static texel_archive_status result_of(texel_archive_writer *writer, int code) {
    return writer->write_error ? TEXEL_ARCHIVE_FATAL : texel_archive_result(writer->archive, code);
}

texel_archive_writer *texel_archive_create(int descriptor, texel_archive_format format) {
    texel_archive_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->is_zip = format == TEXEL_ARCHIVE_ZIP;
    writer->descriptor = descriptor;
    struct archive *archive = writer->archive = la.archive_write_new();
    int result = !archive        ? ARCHIVE_FATAL
                 : writer->is_zip ? la.archive_write_set_format_zip(archive)
                                  : la.archive_write_set_format_pax_restricted(archive);
    if (result == ARCHIVE_OK && format == TEXEL_ARCHIVE_TAR_GZIP) {
        result = la.archive_write_add_filter_gzip(archive);
        // The same bytes at any time.
        if (result == ARCHIVE_OK) result = la.archive_write_set_filter_option(archive, "gzip", "timestamp", NULL);
    }
    if (result == ARCHIVE_OK && format == TEXEL_ARCHIVE_TAR_ZSTD) result = la.archive_write_add_filter_zstd(archive);
    if (result == ARCHIVE_OK) result = la.archive_write_set_bytes_in_last_block(archive, 1);
    if (result == ARCHIVE_OK) result = la.archive_write_open(archive, writer, NULL, write_bytes, NULL);
    if (result != ARCHIVE_OK) {
        texel_archive_abandon(writer);
        return NULL;
    }
    return writer;
}

void texel_archive_abandon(texel_archive_writer *writer) {
    if (!writer) return;
    if (writer->archive) {
        // Freeing writes the end of the archive.
        writer->is_abandoned = true;
        la.archive_write_free(writer->archive);
    }
    free(writer);
}

/// Writes a header; frees it.
static texel_archive_status begin(texel_archive_writer *writer, struct archive_entry *header, bool stores) {
    if (!header) return TEXEL_ARCHIVE_OUT_OF_MEMORY;
    if (writer->is_zip) {
        if (stores)
            la.archive_write_zip_set_compression_store(writer->archive);
        else
            la.archive_write_zip_set_compression_deflate(writer->archive);
    }
    int result = la.archive_write_header(writer->archive, header);
    la.archive_entry_free(header);
    return result_of(writer, result);
}

static texel_archive_status put(texel_archive_writer *writer, const void *bytes, size_t count) {
    const unsigned char *rest = bytes;
    while (count > 0) {
        la_ssize_t written = la.archive_write_data(writer->archive, rest, count);
        if (written < 0) return result_of(writer, (int)written);
        // The entry is full: its size was too small.
        if (written == 0) return TEXEL_ARCHIVE_FAILED;
        rest += written;
        count -= (size_t)written;
    }
    return TEXEL_ARCHIVE_OK;
}

/// Writes an entry whose bytes are in memory; frees the header.
static texel_archive_status add(
    texel_archive_writer *writer, struct archive_entry *header, const void *bytes, size_t count) {
    texel_archive_status result = begin(writer, header, true);
    if (result == TEXEL_ARCHIVE_OK) result = put(writer, bytes, count);
    if (result == TEXEL_ARCHIVE_OK)
        result = result_of(writer, la.archive_write_finish_entry(writer->archive));
    return result;
}

texel_archive_status texel_archive_add(
    texel_archive_writer *writer, const texel_archive_file *file, const void *bytes) {
    locale_t former = texel_archive_enter();
    struct archive_entry *header = la.archive_entry_new();
    if (header) {
        la.archive_entry_set_pathname(header, file->name);
        la.archive_entry_set_filetype(header, AE_IFREG);
        la.archive_entry_set_perm(header, file->permissions);
        la.archive_entry_set_size(header, (la_int64_t)file->size);
        la.archive_entry_set_mtime(header, file->seconds, 0);
    }
    texel_archive_status result = add(writer, header, bytes, file->size);
    texel_archive_leave(former);
    return result;
}

texel_archive_status texel_archive_replace(
    texel_archive_writer *writer, const texel_archive_reader *reader, const char *name, const void *bytes,
    size_t size) {
    locale_t former = texel_archive_enter();
    struct archive_entry *header = la.archive_entry_clone(reader->header);
    if (header) {
        la.archive_entry_set_pathname(header, name);
        la.archive_entry_set_size(header, (la_int64_t)size);
    }
    texel_archive_status result = add(writer, header, bytes, size);
    texel_archive_leave(former);
    return result;
}

texel_archive_status texel_archive_copy(
    texel_archive_writer *writer, texel_archive_reader *reader, const char *name,
    texel_should_stop should_stop, void *context, bool *is_damaged) {
    *is_damaged = false;
    locale_t former = texel_archive_enter();
    struct archive_entry *header = la.archive_entry_clone(reader->header);
    if (header) la.archive_entry_set_pathname(header, name);
    texel_archive_status result = begin(writer, header, false);
    unsigned char block[32 * 1024];
    while (result == TEXEL_ARCHIVE_OK) {
        la_ssize_t count = la.archive_read_data(reader->archive, block, sizeof block);
        if (count < 0) *is_damaged = true;
        if (count <= 0) break;
        result = should_stop(context) ? TEXEL_ARCHIVE_STOPPED : put(writer, block, (size_t)count);
    }
    if (result == TEXEL_ARCHIVE_OK)
        result = result_of(writer, la.archive_write_finish_entry(writer->archive));
    texel_archive_leave(former);
    return result;
}

texel_archive_status texel_archive_finish(texel_archive_writer *writer) {
    locale_t former = texel_archive_enter();
    texel_archive_status result = result_of(writer, la.archive_write_close(writer->archive));
    texel_archive_leave(former);
    return result;
}

const char *texel_archive_writer_message(const texel_archive_writer *writer) {
    const char *message = la.archive_error_string(writer->archive);
    return message ? message : "";
}

int texel_archive_writer_error(const texel_archive_writer *writer) {
    return writer->write_error ? writer->write_error : la.archive_errno(writer->archive);
}

#endif
