#ifndef ARCHIVE_SHIM_H
#define ARCHIVE_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_report.h"

// MARK: The library

/// Loads libarchive. Only after this has returned true may the other functions be called; if it returns false,
/// `message` has the reason.
bool texel_archive_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libarchive was loaded from.
const char *texel_archive_path(void);
/// Returns the version of libarchive: `3.6.2`.
const char *texel_archive_version(void);

// MARK: Reading

/// An open archive: zip, or tar without compression or with gzip, bzip2, xz or zstd. Used by one thread at a time.
typedef struct texel_archive_reader texel_archive_reader;

/// The kind of an entry.
typedef enum {
    TEXEL_ENTRY_FILE,
    TEXEL_ENTRY_FOLDER,
    TEXEL_ENTRY_OTHER, ///< a link, a device, a pipe
} texel_entry_kind;

/// The header of an entry.
typedef struct {
    const char *name; ///< as it is stored, in UTF-8 if the archive says so; valid until the next call
    size_t name_length; ///< in bytes
    texel_entry_kind kind;
    bool is_encrypted;
    int64_t size; ///< in bytes, as the header says; -1 if it does not
} texel_archive_entry;

/// The result of a step.
typedef enum {
    TEXEL_ARCHIVE_OK,
    TEXEL_ARCHIVE_END,    ///< no entry follows, or no byte of the entry
    TEXEL_ARCHIVE_FAILED, ///< this entry is damaged; the next may be intact
    TEXEL_ARCHIVE_FATAL,  ///< nothing more can be read
    TEXEL_ARCHIVE_OUT_OF_MEMORY,
    TEXEL_ARCHIVE_STOPPED, ///< should_stop returned true
} texel_archive_status;

/// Opens the archive that is the whole file of a descriptor, from the descriptor's position on. The descriptor must
/// stay open as long as the reader; it is not closed.
///
/// Returns NULL if memory cannot be allocated. Other faults are reported by the first `texel_archive_next`.
texel_archive_reader *texel_archive_open(int descriptor);

/// Closes a reader; NULL is allowed.
void texel_archive_close(texel_archive_reader *reader);

/// Goes to the next entry.
texel_archive_status texel_archive_next(texel_archive_reader *reader, texel_archive_entry *entry);

/// Reads at most `count` bytes of the current entry, and stores how many.
texel_archive_status texel_archive_read(texel_archive_reader *reader, void *bytes, size_t count, size_t *read);

/// The library's message about the last step, or an empty text. Valid until the next call.
const char *texel_archive_message(const texel_archive_reader *reader);

// MARK: Writing

/// A new archive. Used by one thread at a time.
typedef struct texel_archive_writer texel_archive_writer;

typedef enum {
    TEXEL_ARCHIVE_ZIP,
    TEXEL_ARCHIVE_TAR,
    TEXEL_ARCHIVE_TAR_GZIP,
    TEXEL_ARCHIVE_TAR_ZSTD,
} texel_archive_format;

/// Begins an archive in a file. The descriptor must stay open as long as the writer; it is not closed.
///
/// Returns NULL if memory cannot be allocated.
texel_archive_writer *texel_archive_create(int descriptor, texel_archive_format format);

/// Frees a writer; NULL is allowed. Without `texel_archive_finish`, the archive is not complete.
void texel_archive_abandon(texel_archive_writer *writer);

/// What the header of a new file in an archive says.
typedef struct {
    const char *name; ///< in UTF-8
    size_t size;      ///< in bytes
    int64_t seconds;  ///< the time of the last change, since 1970
    unsigned permissions;
} texel_archive_file;

/// Adds a file whose bytes are compressed already: a zip stores them.
texel_archive_status texel_archive_add(
    texel_archive_writer *writer, const texel_archive_file *file, const void *bytes);

/// Adds a file with the attributes of a reader's current entry, but another name and other bytes, as
/// `texel_archive_add` does.
texel_archive_status texel_archive_replace(
    texel_archive_writer *writer, const texel_archive_reader *reader, const char *name, const void *bytes,
    size_t size);

/// Copies a reader's current entry, of any kind, with a name in UTF-8. A zip deflates its bytes.
///
/// - should_stop: called with `context` for every few bytes.
/// - is_damaged: set if the bytes of the entry could not be read to their end without a fault.
texel_archive_status texel_archive_copy(
    texel_archive_writer *writer, texel_archive_reader *reader, const char *name,
    texel_should_stop should_stop, void *context, bool *is_damaged);

/// Writes what ends an archive.
texel_archive_status texel_archive_finish(texel_archive_writer *writer);

/// The library's message about the last step, or an empty text; its error number, which is often the system's.
const char *texel_archive_writer_message(const texel_archive_writer *writer);
int texel_archive_writer_error(const texel_archive_writer *writer);

#endif
