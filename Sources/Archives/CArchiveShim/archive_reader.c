#ifdef TEXEL_ARCHIVES

#include "archive_common.h"

#include <stdlib.h>
#include <string.h>

texel_archive_reader *texel_archive_open(int descriptor) {
    texel_archive_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->descriptor = descriptor;
    struct archive *archive = reader->archive = la.archive_read_new();
    // A filter that this build of libarchive lacks would start a program.
    if (!archive || la.archive_read_support_format_zip(archive) < ARCHIVE_WARN
        || la.archive_read_support_format_tar(archive) < ARCHIVE_WARN
        || la.archive_read_support_filter_gzip(archive) < ARCHIVE_OK
        || la.archive_read_support_filter_bzip2(archive) < ARCHIVE_OK
        || la.archive_read_support_filter_xz(archive) < ARCHIVE_OK
        || la.archive_read_support_filter_zstd(archive) < ARCHIVE_OK) {
        texel_archive_close(reader);
        return NULL;
    }
    return reader;
}

void texel_archive_close(texel_archive_reader *reader) {
    if (!reader) return;
    if (reader->archive) la.archive_read_free(reader->archive);
    free(reader);
}

/// Larger blocks make skipping slow, smaller ones reading.
enum { BLOCK_SIZE = 64 * 1024 };

texel_archive_status texel_archive_next(texel_archive_reader *reader, texel_archive_entry *entry) {
    locale_t former = texel_archive_enter();
    texel_archive_status result = TEXEL_ARCHIVE_OK;
    if (!reader->is_open) {
        reader->is_open = true;
        int code = la.archive_read_open_fd(reader->archive, reader->descriptor, BLOCK_SIZE);
        result = texel_archive_result(reader->archive, code);
        // An archive that cannot be opened has no entry that could be intact.
        if (result == TEXEL_ARCHIVE_FAILED) result = TEXEL_ARCHIVE_FATAL;
    }
    if (result == TEXEL_ARCHIVE_OK)
        result = texel_archive_result(reader->archive, la.archive_read_next_header(reader->archive, &reader->header));
    if (result == TEXEL_ARCHIVE_OK) {
        const char *name = la.archive_entry_pathname(reader->header);
        if (!name) name = la.archive_entry_pathname_utf8(reader->header);
        unsigned type = la.archive_entry_filetype(reader->header);
        entry->name = name ? name : "";
        entry->name_length = strlen(entry->name);
        bool is_file = type == AE_IFREG && !la.archive_entry_hardlink(reader->header);
        entry->kind = type == AE_IFDIR ? TEXEL_ENTRY_FOLDER : is_file ? TEXEL_ENTRY_FILE : TEXEL_ENTRY_OTHER;
        entry->is_encrypted = la.archive_entry_is_data_encrypted(reader->header) == 1;
        entry->size = la.archive_entry_size_is_set(reader->header) ? la.archive_entry_size(reader->header) : -1;
    }
    texel_archive_leave(former);
    return result;
}

texel_archive_status texel_archive_read(texel_archive_reader *reader, void *bytes, size_t count, size_t *read) {
    *read = 0;
    locale_t former = texel_archive_enter();
    la_ssize_t result = la.archive_read_data(reader->archive, bytes, count);
    texel_archive_leave(former);
    if (result > 0) *read = (size_t)result;
    // A warning is about the contents here: a checksum that differs.
    if (result == ARCHIVE_WARN) return TEXEL_ARCHIVE_FAILED;
    if (result == 0) return TEXEL_ARCHIVE_END;
    return result > 0 ? TEXEL_ARCHIVE_OK : texel_archive_result(reader->archive, (int)result);
}

const char *texel_archive_message(const texel_archive_reader *reader) {
    const char *message = la.archive_error_string(reader->archive);
    return message ? message : "";
}

#endif
