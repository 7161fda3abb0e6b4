"""Reads frames that Texel serves in shared memory, and prints a line for each: number, size, time, Adler-32 of the rows.

    python3 frame_reader.py /run/user/1000/texel.sock 100

How the memory is laid out says texel_frame_ring.h.
"""

import mmap
import os
import socket
import struct
import sys
import time
import zlib

NOTHING = 0xFFFFFFFF
SLOTS, SLOT_SIZE = 128, 128


def ring_of(connection):
    """The memory whose descriptor the producer sends."""
    _, descriptors, _, _ = socket.recv_fds(connection, 1, 1)
    if not descriptors:
        sys.exit("no descriptor came")
    ring = mmap.mmap(descriptors[0], os.fstat(descriptors[0]).st_size, prot=mmap.PROT_READ)
    os.close(descriptors[0])
    if ring[:8] != b"TEXELFRM":
        sys.exit("not a ring of frames")
    return ring


def has_left(connection):
    """Whether the producer has ended, however it did: it sends nothing more than the descriptor."""
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False


def frames(ring, connection):
    """The latest frame again and again: its number, size, time in seconds, and its checksum."""
    slot_bytes, first_slot = struct.unpack_from("=QQ", ring, 16)
    view = memoryview(ring)
    # Numbers that the producer writes in one step must be read in one step; struct's "=" reads them byte by byte.
    words, sequences = view.cast("I"), view.cast("Q")
    last, is_over = 0, False
    while True:
        # Asked first: what was published before the end is seen then.
        is_over = is_over or words[10] != 0
        latest = words[9]
        slot = SLOTS + (0 if latest == NOTHING else latest) * SLOT_SIZE
        sequence = sequences[slot // 8]
        number, nanoseconds = struct.unpack_from("=Qq", ring, slot + 8)
        width, height, bytes_per_row = struct.unpack_from("=III", ring, slot + 40)
        if latest == NOTHING or number == last:
            if is_over:
                return
            is_over = has_left(connection)
            time.sleep(0.001)
            continue
        if sequence % 2 or bytes_per_row * height > slot_bytes:
            continue
        checksum = 1
        for y in range(height):
            row = first_slot + latest * slot_bytes + y * bytes_per_row
            checksum = zlib.adler32(view[row : row + width * 4], checksum)
        if sequences[slot // 8] == sequence:
            last = number
            yield number, width, height, nanoseconds / 1e9, checksum


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        stream = frames(ring_of(connection), connection)
        for _, (number, width, height, seconds, checksum) in zip(range(count), stream):
            print(f"{number} {width}x{height} {seconds:.3f} {checksum:08x}", flush=True)


if __name__ == "__main__":
    main()
