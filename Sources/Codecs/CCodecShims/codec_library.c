#define _GNU_SOURCE // dladdr

#include "codec_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "library_messages.h"

enum { NOT_LOADED, LOADED };

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool shows_messages;

void texel_library_show_messages(void) { atomic_store(&shows_messages, true); }

/// Opens the file and finds the functions, with `loading` locked.
static bool load(texel_library *library, char *message) {
    const void *last = atomic_load(&shows_messages) ? NULL : texel_last_loaded_object();
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (handle && last) texel_hide_messages_after(last);
    if (!handle) {
        const char *error = dlerror();
        snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%s", error ? error : "it cannot be opened");
        return false;
    }
    for (size_t i = 0; i < library->count; i++) {
        const texel_library_function *function = &library->functions[i];
        void *address = dlsym(handle, function->name);
        if (!address) {
            snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%s has no function %s", library->file, function->name);
            dlclose(handle);
            return false;
        }
        // POSIX demands that an address of this kind holds a function.
        memcpy(function->address, &address, sizeof address);
        Dl_info info;
        if (i == 0 && dladdr(address, &info) && info.dli_fname)
            snprintf(library->path, sizeof library->path, "%s", info.dli_fname);
    }
    return true;
}

bool texel_library_load(texel_library *library, char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    if (atomic_load_explicit(&library->state, memory_order_acquire) == LOADED) return true;
    pthread_mutex_lock(&loading);
    bool loaded = atomic_load_explicit(&library->state, memory_order_relaxed) == LOADED || load(library, message);
    if (loaded) atomic_store_explicit(&library->state, LOADED, memory_order_release);
    pthread_mutex_unlock(&loading);
    return loaded;
}
