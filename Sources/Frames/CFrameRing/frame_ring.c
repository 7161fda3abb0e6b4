#define _GNU_SOURCE
#include "frame_ring_writer.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

// Since Linux 5.1; older headers do not define it.
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

_Static_assert(sizeof(texel_frame_slot) == 128, "part of the format");
_Static_assert(sizeof(texel_frame_ring) == texel_frame_ring_header_bytes, "part of the format");

static size_t ring_bytes(uint32_t slot_count, uint64_t slot_bytes) {
    return texel_frame_ring_header_bytes + slot_count * slot_bytes;
}

/// Returns a read-only descriptor of the same memory, or -1 with the reason in errno.
static int open_for_reading(int memory) {
    // After F_SEAL_FUTURE_WRITE only mappings that exist already can be written to.
    int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    int is_protected = fcntl(memory, F_ADD_SEALS, seals | F_SEAL_FUTURE_WRITE) == 0;
    if (!is_protected && fcntl(memory, F_ADD_SEALS, seals) != 0) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    // Without /proc, a duplicate protected by the seal alone is returned.
    return descriptor < 0 && is_protected ? fcntl(memory, F_DUPFD_CLOEXEC, 0) : descriptor;
}

texel_frame_ring *texel_frame_ring_create(uint32_t slot_count, uint64_t slot_bytes, int *descriptor) {
    if (slot_count == 0 || slot_count > texel_frame_ring_slot_limit || slot_bytes == 0 || slot_bytes % 4096 != 0 ||
        slot_bytes > (uint64_t)LONG_MAX / 2 / slot_count) {
        errno = EINVAL;
        return NULL;
    }
    size_t bytes = ring_bytes(slot_count, slot_bytes);
    int memory = memfd_create("texel-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return NULL;
    void *mapping = MAP_FAILED;
    *descriptor = -1;
    if (ftruncate(memory, (off_t)bytes) == 0)
        mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapping != MAP_FAILED) *descriptor = open_for_reading(memory);
    int reason = errno;
    close(memory);
    if (*descriptor < 0) {
        if (mapping != MAP_FAILED) munmap(mapping, bytes);
        errno = reason;
        return NULL;
    }
    texel_frame_ring *ring = mapping;
    memcpy(ring->magic, TEXEL_FRAME_RING_MAGIC, sizeof ring->magic);
    ring->version = texel_frame_ring_version;
    ring->slot_count = slot_count;
    ring->slot_bytes = slot_bytes;
    ring->first_slot = texel_frame_ring_header_bytes;
    ring->latest = UINT32_MAX;
    return ring;
}

void texel_frame_ring_destroy(texel_frame_ring *ring) { munmap(ring, ring_bytes(ring->slot_count, ring->slot_bytes)); }

void *texel_frame_ring_pixels(texel_frame_ring *ring, uint32_t slot) {
    return (uint8_t *)ring + texel_frame_ring_header_bytes + slot * ring->slot_bytes;
}

void texel_frame_ring_will_write(texel_frame_ring *ring, uint32_t slot) {
    uint64_t sequence = __atomic_load_n(&ring->slots[slot].sequence, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->slots[slot].sequence, sequence | 1, __ATOMIC_RELAXED);
    // No write after this fence can be seen before the odd number.
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void announce(texel_frame_ring *ring) {
    __atomic_add_fetch(&ring->change_count, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &ring->change_count, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void texel_frame_ring_publish(texel_frame_ring *ring, uint32_t slot, const texel_frame_slot *description) {
    texel_frame_ring_will_write(ring, slot);
    texel_frame_slot *destination = &ring->slots[slot];
    texel_frame_slot filled = *description;
    // Only this process writes the header, so the values read from it can be trusted.
    filled.sequence = destination->sequence;
    uint32_t former = ring->latest;
    filled.number = former == UINT32_MAX ? 1 : ring->slots[former].number + 1;
    *destination = filled;
    __atomic_store_n(&destination->sequence, filled.sequence + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->latest, slot, __ATOMIC_RELEASE);
    announce(ring);
}

void texel_frame_ring_end(texel_frame_ring *ring) {
    __atomic_store_n(&ring->has_ended, 1, __ATOMIC_RELEASE);
    announce(ring);
}

int texel_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int texel_send_descriptor(int socket, int descriptor) {
    char byte = 0;
    struct iovec bytes = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {0};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : errno;
}

#endif
