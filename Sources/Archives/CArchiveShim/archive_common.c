#ifdef TEXEL_ARCHIVES

#include "archive_common.h"

#include <errno.h>
#include <pthread.h>

static locale_t utf8;

static void make_locale(void) {
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", NULL);
}

locale_t texel_archive_enter(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_locale);
    return utf8 ? uselocale(utf8) : (locale_t)0;
}

void texel_archive_leave(locale_t former) {
    if (former) uselocale(former);
}

texel_archive_status texel_archive_result(struct archive *archive, int code) {
    switch (code) {
        case ARCHIVE_OK:
        // Such as a name that cannot be converted. What is damaged fails.
        case ARCHIVE_WARN: return TEXEL_ARCHIVE_OK;
        case ARCHIVE_EOF: return TEXEL_ARCHIVE_END;
        // ARCHIVE_RETRY: the header is damaged, and the next one may be intact.
        case ARCHIVE_RETRY:
        case ARCHIVE_FAILED: return TEXEL_ARCHIVE_FAILED;
        default: return la.archive_errno(archive) == ENOMEM ? TEXEL_ARCHIVE_OUT_OF_MEMORY : TEXEL_ARCHIVE_FATAL;
    }
}

#endif
