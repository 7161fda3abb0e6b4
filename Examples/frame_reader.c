// Reads frames that Texel serves in shared memory, and prints a line for each: number, size, time, Adler-32 of the
// rows.
//
//     cc -O2 -I ../Sources/Frames/CFrameRing/include frame_reader.c -o frame_reader
//     ./frame_reader /run/user/1000/texel.sock 100

#include "texel_frame_ring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int receive_descriptor(int connection) {
    char byte;
    struct iovec bytes = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control,
        .msg_controllen = sizeof control};
    if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != 1 || CMSG_FIRSTHDR(&message) == NULL) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

static uint32_t adler32(uint32_t sum, const uint8_t *bytes, size_t count) {
    uint32_t a = sum & 0xFFFF, b = sum >> 16;
    for (size_t i = 0; i < count; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: frame_reader SOCKET COUNT\n"), 64;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) return perror(argv[1]), 66;
    int descriptor = receive_descriptor(connection);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) return fprintf(stderr, "no descriptor came\n"), 74;
    const texel_frame_ring *ring = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (ring == MAP_FAILED || memcmp(ring->magic, TEXEL_FRAME_RING_MAGIC, 8) != 0) return 65;

    uint64_t last = 0;
    int has_left = 0;
    for (long left = atol(argv[2]); left > 0;) {
        // Asked first: what was published before the end is seen then.
        int is_over = has_left || texel_frame_ring_has_ended(ring);
        uint32_t changes = texel_frame_ring_change_count(ring), latest = texel_frame_ring_latest(ring);
        const texel_frame_slot *slot = &ring->slots[latest < ring->slot_count ? latest : 0];
        uint64_t sequence = texel_frame_slot_begin(slot);
        texel_frame_slot frame = *slot;
        if (latest == UINT32_MAX || frame.number == last) {
            if (is_over) break;
            // A producer that was killed does not say that it ends: the connection does.
            has_left = recv(connection, &(char){0}, 1, MSG_DONTWAIT) == 0;
            if (!has_left) texel_frame_ring_wait(ring, changes, 1000);
            continue;
        }
        const uint8_t *pixels = (const uint8_t *)ring + ring->first_slot + latest * ring->slot_bytes;
        // Torn or not, what lies outside the slot is not read.
        if ((uint64_t)frame.bytes_per_row * frame.height > ring->slot_bytes
            || frame.width > frame.bytes_per_row / 4)
            continue;
        uint32_t sum = 1;
        for (uint32_t y = 0; y < frame.height; y++)
            sum = adler32(sum, pixels + (size_t)y * frame.bytes_per_row, (size_t)frame.width * 4);
        if (!texel_frame_slot_is_unchanged(slot, sequence)) continue;
        printf("%" PRIu64 " %ux%u %.3f %08x\n", frame.number, frame.width, frame.height, frame.time / 1e9, sum);
        fflush(stdout);
        last = frame.number;
        left--;
    }
}
