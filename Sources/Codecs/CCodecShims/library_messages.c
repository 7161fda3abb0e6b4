#define _GNU_SOURCE // dlinfo, dl_iterate_phdr, fopencookie

#include "library_messages.h"

#include <stddef.h>
#include <stdio.h>

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
enum { ENTRY_RELOCATION = R_X86_64_GLOB_DAT };
#else
enum { ENTRY_RELOCATION = R_AARCH64_GLOB_DAT };
#endif

static ssize_t discard(void *cookie, const char *bytes, size_t count) {
    (void)cookie, (void)bytes;
    return (ssize_t)count;
}

/// A stream without a descriptor, which an isolated process would close; NULL if memory runs out.
static FILE *discarding_stream(void) {
    static FILE *stream;
    if (!stream) stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = discard});
    return stream;
}

/// Returns the address of a table that the dynamic section refers to; in some versions of glibc, it is relative.
static uintptr_t address_of(const struct link_map *object, ElfW(Addr) value) {
    return value < object->l_addr ? object->l_addr + value : value;
}

/// The addresses of an object that are read-only after relocation (PT_GNU_RELRO); empty if there are none.
typedef struct {
    uintptr_t base, start, end;
} relocated_range;

static int find_relocated_range(struct dl_phdr_info *object, size_t size, void *context) {
    relocated_range *range = context;
    (void)size;
    if (object->dlpi_addr != range->base) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_GNU_RELRO) continue;
        range->start = range->base + segment->p_vaddr;
        range->end = range->start + segment->p_memsz;
    }
    return 1;
}

/// Stores `value` in an entry of the global offset table. Its page is made read-only again if it was.
static void set_entry(uintptr_t entry, uintptr_t value, const relocated_range *range) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = entry & ~(size - 1);
    bool is_protected = entry >= range->start && entry < (range->end & ~(size - 1));
    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0) return;
    memcpy((void *)entry, &value, sizeof value);
    if (is_protected) mprotect((void *)page, size, PROT_READ);
}

static void hide_messages_of(const struct link_map *object, FILE **stream) {
    uintptr_t symbols = 0, names = 0, relocations = 0;
    size_t byte_count = 0;
    for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB: symbols = address_of(object, entry->d_un.d_ptr); break;
        case DT_STRTAB: names = address_of(object, entry->d_un.d_ptr); break;
        case DT_RELA: relocations = address_of(object, entry->d_un.d_ptr); break;
        case DT_RELASZ: byte_count = entry->d_un.d_val; break;
        default: break;
        }
    }
    if (!symbols || !names || !relocations) return;
    relocated_range range = {.base = object->l_addr};
    dl_iterate_phdr(find_relocated_range, &range);
    const ElfW(Rela) *relocation = (const ElfW(Rela) *)relocations;
    for (size_t i = 0; i < byte_count / sizeof *relocation; i++) {
        if (ELF64_R_TYPE(relocation[i].r_info) != ENTRY_RELOCATION) continue;
        const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbols + ELF64_R_SYM(relocation[i].r_info);
        if (strcmp((const char *)names + symbol->st_name, "stderr") == 0)
            set_entry(object->l_addr + relocation[i].r_offset, (uintptr_t)stream, &range);
    }
}

const void *texel_last_loaded_object(void) {
    void *program = dlopen(NULL, RTLD_NOW);
    struct link_map *object = NULL;
    if (!program || dlinfo(program, RTLD_DI_LINKMAP, &object) != 0) return NULL;
    while (object->l_next) object = object->l_next;
    dlclose(program);
    return object;
}

void texel_hide_messages_after(const void *last) {
    // The address of this variable takes the place of that of `stderr`.
    static FILE *stream;
    stream = discarding_stream();
    if (!stream) return;
    for (const struct link_map *object = ((const struct link_map *)last)->l_next; object; object = object->l_next)
        hide_messages_of(object, &stream);
}

#else

const void *texel_last_loaded_object(void) { return NULL; }

void texel_hide_messages_after(const void *last) { (void)last; }

#endif
