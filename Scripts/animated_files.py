"""Small animations in five formats, and changes of their parts, for mutants.py.

The inputs have partial frames, transparency, every way to dispose and to blend, local colour tables, interlaced frames,
extreme delays, frames of no size and frames outside of the canvas. A change edits one field, frame or table, and
corrects the lengths, checksums and offsets that depend on it, so that a reader reaches the changed part.
"""

import pathlib
import shutil
import struct
import subprocess
import tempfile
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def special(random, bits, old=0):
    """A number of so many bits that is at the end of a range, or near the old one."""
    largest = (1 << bits) - 1
    return largest & random.choice((
        0, 1, 2, 3, 7, 8, 16, 255, 256, largest >> 1, (largest >> 1) + 1, largest - 1, largest, old + 1, old - 1,
        old * 2, old // 2, random.randrange(64), random.randrange(largest + 1)))


def changed_field(data, position, size, order, random):
    """The data with another number in one field."""
    if position < 0 or position + size > len(data):
        return data
    old = int.from_bytes(data[position : position + size], order)
    return data[:position] + special(random, 8 * size, old).to_bytes(size, order) + data[position + size :]


def rearranged(items, random):
    """The items with one removed, doubled, moved or exchanged with another one."""
    items = list(items)
    if not items:
        return items
    index, other = random.randrange(len(items)), random.randrange(len(items))
    way = random.randrange(4)
    if way == 0:
        del items[index]
    elif way == 1:
        items.insert(other, items[index])
    elif way == 2:
        items.insert(other, items.pop(index))
    else:
        items[index], items[other] = items[other], items[index]
    return items


def damaged(data, random):
    """Bytes with a few changes: some replaced, cut or added."""
    way = random.randrange(4)
    if way == 0 or not data:
        return data[: random.randrange(len(data) + 1)]
    if way == 1:
        return data + random.randbytes(random.choice((1, 2, 30)))
    changed = bytearray(data)
    end = random.choice((len(changed), min(len(changed), 24)))
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(end)
        changed[at] = random.choice((0, 255, changed[at] ^ 1 << random.randrange(8), random.randrange(256)))
    return bytes(changed)


# --- GIF


def lzw(indices, minimum):
    """The codes of the indices, packed into bytes."""
    clear, end = 1 << minimum, (1 << minimum) + 1
    bits, count, result = 0, 0, bytearray()
    table, size, prefix = {}, minimum + 1, None

    def put(code):
        nonlocal bits, count
        bits |= code << count
        count += size
        while count >= 8:
            result.append(bits & 255)
            bits >>= 8
            count -= 8

    put(clear)
    next_code = end + 1
    for index in indices:
        if prefix is None:
            prefix = index
        elif (prefix, index) in table:
            prefix = table[prefix, index]
        else:
            put(prefix)
            if next_code == 4096:
                put(clear)
                table, size, next_code = {}, minimum + 1, end + 1
            else:
                table[prefix, index] = next_code
                if next_code == 1 << size:
                    size += 1
                next_code += 1
            prefix = index
    if prefix is not None:
        put(prefix)
        # The last code may have made the decoder's table reach the next size.
        if next_code == 1 << size and size < 12:
            size += 1
    put(end)
    if count:
        result.append(bits)
    return bytes(result)


class GIFFile:
    """A GIF as its screen, its global colour table, and blocks: (head, data of sub-blocks, sizes of sub-blocks)."""

    def __init__(self, data):
        position = 13 + (3 * (2 << (data[10] & 7)) if data[10] & 0x80 else 0)
        self.screen, self.table, self.blocks, self.rest = data[:13], data[13:position], [], b""
        while position + 10 < len(data) and data[position] in (0x21, 0x2C):
            end = position + 2
            if data[position] == 0x2C:
                fields = data[position + 9]
                end = position + 11 + (3 * (2 << (fields & 7)) if fields & 0x80 else 0)
            start, body, sizes = end, b"", []
            while end < len(data) and data[end]:
                body += data[end + 1 : end + 1 + data[end]]
                sizes.append(data[end])
                end += 1 + data[end]
            self.blocks.append((data[position:start], body, sizes))
            position = end + 1
        self.end = b";"

    def joined(self):
        result = self.screen + self.table
        for head, body, sizes in self.blocks:
            result += head
            position, number = 0, 0
            while position < len(body):
                size = max(1, min(sizes[number] if number < len(sizes) else 255, 255, len(body) - position))
                result += bytes([size]) + body[position : position + size]
                position, number = position + size, number + 1
            result += b"\0"
        return result + self.end

    def frames(self):
        """The blocks as lists that each end with an image."""
        groups, group = [], []
        for block in self.blocks:
            group.append(block)
            if block[0][0] == 0x2C:
                groups.append(group)
                group = []
        return groups + ([group] if group else [])


def changed_gif(data, random):
    file = GIFFile(data)
    images = [index for index, block in enumerate(file.blocks) if block[0][0] == 0x2C]
    controls = [index for index, block in enumerate(file.blocks) if block[0][:2] == b"!\xf9"]
    way = random.randrange(11)
    if way == 0:
        file.blocks = [block for group in rearranged(file.frames(), random) for block in group]
    elif way == 1 and controls:
        index = random.choice(controls)
        head, body, sizes = file.blocks[index]
        if random.random() < 0.5:
            # Disposal, user input and transparency.
            body = bytes([random.randrange(8) << 2 | random.randrange(4)]) + body[1:]
        else:
            body = changed_field(body, *random.choice(((1, 2), (3, 1), (0, 1))), "little", random)
        file.blocks[index] = (head, body, sizes)
    elif way == 2:
        at, size = random.choice(((6, 2), (8, 2), (10, 1), (11, 1), (12, 1), (3, 3)))
        file.screen = changed_field(file.screen, at, size, "little", random)
        if at == 10 and random.random() < 0.5:
            length = 3 * (2 << (file.screen[10] & 7)) if file.screen[10] & 0x80 else 0
            file.table = (file.table + random.randbytes(768))[:length]
    elif way == 3:
        file.blocks = rearranged(file.blocks, random)
    elif way == 4:
        file.end = random.choice((b"", b";;", b";" + random.randbytes(9), b"\0;", b"\0\0\0;"))
    elif way == 5:
        made = random.choice((
            (b"!\xf9", struct.pack("<BHB", random.randrange(32), special(random, 16), random.randrange(256)), []),
            (b"!\xff", b"NETSCAPE2.0\1" + struct.pack("<H", special(random, 16)), [11, 3]),
            (b"!\xff", b"ANIMEXTS1.0\1" + struct.pack("<H", special(random, 16)), [11, 3]),
            (b"!\1", struct.pack("<HHHHBBBB", 0, 0, 8, 8, 8, 8, 1, 0) + b"text", [12, 4]),
            (b"!\xfe", random.randbytes(5), [1, 4]), (b"!" + random.randbytes(1), random.randbytes(4), []),
            (struct.pack("<BHHHHBB", 0x2C, 0, 0, special(random, 4), special(random, 4), 0, 2),
             lzw([0, 1, 1, 0], 2), [])))
        file.blocks.insert(random.randrange(len(file.blocks) + 1), made)
    elif images:
        index = random.choice(images)
        head, body, sizes = file.blocks[index]
        if way == 6:
            head = changed_field(head, random.choice((1, 3, 5, 7)), 2, "little", random)
        elif way == 7:
            # Flags with the table that they declare, of the old colours.
            flags = random.choice(
                (head[9] ^ 0x40, head[9] ^ 0x80, head[9] ^ 1 << random.randrange(8), random.randrange(256)))
            length = 3 * (2 << (flags & 7)) if flags & 0x80 else 0
            table = ((head[10:-1] or file.table) + bytes(768))[:length]
            head = head[:9] + bytes([flags]) + table + head[-1:]
        elif way == 8:
            head = head[:-1] + bytes([random.choice((0, 1, 2, 3, 7, 8, 9, 11, 12, 13, 255))])
        elif way == 9:
            sizes = random.choice(([1] * 999, [254], [255], [3, 1, 200], [random.randrange(1, 256) for _ in range(99)]))
        else:
            other = file.blocks[random.choice(images)][1]
            body = random.choice((damaged(body, random), other, body[:-1], body + body, b""))
        file.blocks[index] = (head, body, sizes)
    return file.joined()


def gif_block(head, body):
    parts = b"".join(bytes([len(body[at : at + 255])]) + body[at : at + 255] for at in range(0, len(body), 255))
    return head + parts + b"\0"


def gif(width, height, frames, colors=4, table=True, plays=0, extra=b""):
    """A GIF of frames (x, y, width, height, disposal, delay, transparent index or None, size of the local table,
    interlaced)."""
    exponent = colors.bit_length() - 2

    def palette(count, start):
        return b"".join(
            bytes((index * 37 + start & 255, index * 91 & 255, 255 - index & 255)) for index in range(count))

    data = b"GIF89a" + struct.pack("<HHBBB", width, height, (0x80 if table else 0) | exponent, 0, 0)
    data += palette(colors, 20) if table else b""
    if plays is not None:
        data += b"!\xff" + b"\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", plays) + b"\0"
    data += extra
    for number, (x, y, w, h, disposal, delay, transparent, local, interlaced) in enumerate(frames):
        if disposal is not None:
            flags = disposal << 2 | (transparent is not None)
            data += gif_block(b"!\xf9", struct.pack("<BHB", flags, delay, transparent or 0))
        count = local or colors
        rows = list(range(h))
        if interlaced:
            rows = rows[0::8] + rows[4::8] + rows[2::4] + rows[1::2]
        indices = [(row * 3 + column + number) // 3 % count for row in rows for column in range(w)]
        flags = (0x80 | local.bit_length() - 2 if local else 0) | (0x40 if interlaced else 0)
        minimum = max(2, count.bit_length() - 1)
        head = struct.pack("<BHHHHBB", 0x2C, x, y, w, h, flags, 0)[:-1] + (palette(local, 90) if local else b"")
        data += gif_block(head + bytes([minimum]), lzw(indices, minimum))
    return data + b";"


def gifs():
    plain = (None, 0, False)
    return {
        "disposal": gif(24, 18, [
            (0, 0, 24, 18, 1, 10, None, 0, False), (3, 2, 10, 8, 2, 0, 1, 0, True),
            (5, 5, 12, 9, 3, 65535, 2, 8, False), (0, 0, 24, 18, 2, 1, 0, 0, True),
            (20, 10, 4, 8, 1, 7, None, 16, False), (1, 1, 9, 9, 0, 5, 3, 0, False)]),
        "outside": gif(20, 16, [
            (0, 0, 20, 16, 1, 10, *plain), (15, 10, 12, 12, 2, 10, 1, 4, False), (30, 40, 3, 3, 1, 10, *plain),
            (2, 2, 5, 5, 1, 10, *plain)]),
        "empty": gif(16, 12, [
            (0, 0, 16, 12, 1, 10, *plain), (3, 3, 0, 4, 1, 20, *plain), (3, 3, 4, 0, 2, 20, *plain),
            (4, 4, 6, 6, 3, 0, 2, 0, False), (0, 0, 8, 8, 1, 9, *plain)]),
        "many": gif(9, 7, [
            (number % 5, number % 4, 4, 3, number % 4, number * 3, number % 3 or None, 0, number % 7 == 0)
            for number in range(24)], plays=65535),
        "equal": gif(12, 9, [(0, 0, 12, 9, 1, 10, *plain), *[(0, 0, 1, 1, 1, 10, 0, 0, False)] * 3], plays=None),
        "local": gif(18, 14, [
            (0, 0, 18, 14, 1, 10, None, 256, False), (2, 3, 11, 9, 3, 10, 200, 256, True),
            (4, 4, 9, 9, 1, 10, 5, 128, False), (0, 0, 18, 14, 2, 3, 1, 2, False)], table=False),
        "plain": gif(
            16, 10, [(0, 0, 16, 10, None, 0, *plain), (4, 3, 8, 5, None, 0, *plain), (0, 0, 3, 3, 2, 10, *plain)],
            extra=gif_block(b"!\xfe", b"comment") + gif_block(b"!\xff", b"XMP DataXMP<x/>")),
    }


# --- PNG


class PNGFrames:
    """An animated PNG as chunks before the frames, frames (lists of chunks), and the end."""

    def __init__(self, data):
        self.before, self.frames, self.after = [], [], []
        position = 8
        while position + 12 <= len(data):
            length, name = struct.unpack(">I4s", data[position : position + 8])
            part = (name, data[position + 8 : position + 8 + length])
            position += 12 + length
            if name == b"fcTL" or name == b"IDAT" and not self.frames:
                self.frames.append([part])
            elif name in (b"IDAT", b"fdAT"):
                self.frames[-1].append(part)
            elif name == b"IEND":
                self.after.append(part)
            else:
                self.before.append(part)

    def joined(self):
        parts = self.before + [part for frame in self.frames for part in frame] + self.after
        return SIGNATURE + b"".join(chunk(*part) for part in parts)

    def renumbered(self):
        """Corrects all sequence numbers, and the number of frames."""
        number, count = 0, 0
        for frame in self.frames:
            for index, (name, body) in enumerate(frame):
                if name in (b"fcTL", b"fdAT"):
                    frame[index] = (name, struct.pack(">I", number) + body[4:])
                    number += 1
                count += name == b"fcTL"
        self.before = [(name, struct.pack(">I", count) + body[4:] if name == b"acTL" else body)
                       for name, body in self.before]


def changed_png(data, random):
    file = PNGFrames(data)
    if not file.frames:
        return data
    frame = random.choice(file.frames)
    way = random.randrange(9)
    if way == 0:
        file.frames = [list(frame) for frame in rearranged(file.frames, random)]
        if random.random() < 0.5:
            # The first image is in IDAT, all others are in fdAT.
            for index, frame in enumerate(file.frames):
                for at, (name, body) in enumerate(frame):
                    if index == 0 and name == b"fdAT":
                        frame[at] = (b"IDAT", body[4:])
                    elif index > 0 and name == b"IDAT":
                        frame[at] = (b"fdAT", bytes(4) + body)
    elif way in (1, 2) and frame[0][0] == b"fcTL":
        # Size, place, delay, disposal and blending.
        at, size = random.choice(((4, 4), (8, 4), (12, 4), (16, 4), (20, 2), (22, 2), (24, 1), (25, 1)))
        frame[0] = (b"fcTL", changed_field(frame[0][1], at, size, "big", random))
    elif way == 3:
        # A sequence number, which stays wrong.
        at = random.randrange(len(frame))
        frame[at] = (frame[at][0], changed_field(frame[at][1], 0, 4, "big", random))
        return file.joined()
    elif way == 4:
        file.before = [(name, changed_field(body, random.choice((0, 4)), 4, "big", random) if name == b"acTL" else body)
                       for name, body in file.before]
        return file.joined()
    elif way == 5:
        # Data in more chunks, some of them empty.
        name, body = frame.pop()
        start = 4 if name == b"fdAT" else 0
        at = random.randrange(len(body) + 1)
        pieces = [body[start:at], body[max(at, start) :], b""][: random.choice((2, 3))]
        frame += [(name, bytes(start) + piece) for piece in pieces]
    elif way == 6:
        index = random.randrange(len(frame))
        name, body = frame[index]
        start = 4 if name == b"fdAT" else 0
        frame[index] = (name, body[:start] + damaged(body[start:], random))
    elif way == 7:
        frame[:] = rearranged(frame, random)
    else:
        # Other pixels: those of another frame, or new ones that are too few or too many.
        other = random.choice(file.frames)[-1]
        raw = other[1][4:] if other[0] == b"fdAT" else other[1]
        raw = random.choice((raw, zlib.compress(bytes(special(random, 10)))))
        name = frame[-1][0]
        frame[-1] = (name, (bytes(4) if name == b"fdAT" else b"") + raw)
    if random.random() < 0.8:
        file.renumbered()
    return file.joined()


def png(width, height, frames, color=6, depth=8, interlaced=False, hidden=False, plays=3, split=False, palette=b""):
    """An animated PNG of frames (width, height, x, y, disposal, blending, delay, denominator)."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))

    def pixels(w, h, number):
        rows = b""
        for x, y, step_x, step_y in passes if interlaced else ((0, 0, 1, 1),):
            columns, count = (w - x + step_x - 1) // step_x, (h - y + step_y - 1) // step_y
            length = (columns * channels * depth + 7) // 8
            for row in range(count if columns > 0 else 0):
                values = (40 * number + 9 * row + 5 * at // channels for at in range(length))
                rows += b"\0" + bytes(value & (3 if color == 3 else 255) for value in values)
        return zlib.compress(rows, 9)

    data = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)) + palette
    data += chunk(b"acTL", struct.pack(">II", len(frames), plays))
    if hidden:
        data += chunk(b"IDAT", pixels(width, height, 9))
    sequence = 0
    for index, (w, h, x, y, dispose, blend, delay, unit) in enumerate(frames):
        data += chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, w, h, x, y, delay, unit, dispose, blend))
        sequence += 1
        stream = pixels(w, h, index)
        if index == 0 and not hidden:
            data += chunk(b"IDAT", stream)
            continue
        for piece in (stream[:9], stream[9:]) if split else (stream,):
            data += chunk(b"fdAT", struct.pack(">I", sequence) + piece)
            sequence += 1
    return data + chunk(b"IEND", b"")


def pngs():
    palette = chunk(b"PLTE", bytes((255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9))) + chunk(b"tRNS", bytes((0, 255, 128)))
    frames = [(21, 17, 0, 0, 0, 0, 1, 10), (10, 8, 3, 4, 1, 0, 0, 0), (12, 9, 9, 5, 2, 1, 65535, 100),
              (7, 16, 1, 1, 0, 1, 7, 100), (21, 17, 0, 0, 2, 1, 1, 65535)]
    # More than a GIF's or a WebP's frame can last.
    slow = [(*frame[:6], 65535, 1) if index == 2 else frame for index, frame in enumerate(frames)]
    return {
        "rgba": png(21, 17, frames, split=True),
        "palette": png(21, 17, slow, color=3, palette=palette),
        "grey-16": png(21, 17, frames, color=4, depth=16, hidden=True, plays=0),
        "interlaced": png(21, 17, frames, color=2, interlaced=True, split=True),
        "many": png(9, 7, [(9, 7, 0, 0, 0, 0, 5, 100)] + [
            (4, 3, number % 5, number % 4, number % 3, number % 2, number, 100) for number in range(1, 24)]),
        "outside": png(16, 12, [
            (16, 12, 0, 0, 0, 0, 1, 10), (12, 9, 9, 5, 0, 1, 1, 10), (4, 4, 1, 1, 0, 0, 1, 10)]),
        "empty": png(16, 12, [(16, 12, 0, 0, 1, 0, 1, 10), (0, 5, 2, 2, 0, 1, 1, 10), (4, 4, 1, 1, 0, 0, 1, 10)]),
        "restored": png(16, 12, [
            (16, 12, 0, 0, 2, 1, 1, 10), (5, 5, 1, 1, 2, 0, 1, 10), (5, 5, 9, 6, 1, 1, 1, 10)], plays=1),
    }


# --- WebP


def riff_chunks(data):
    parts, position = [], 0
    while position + 8 <= len(data):
        length = struct.unpack("<I", data[position + 4 : position + 8])[0]
        parts.append((data[position : position + 4], data[position + 8 : position + 8 + length]))
        position += 8 + length + length % 2
    return parts


def joined_riff(parts):
    return b"".join(name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2) for name, body in parts)


def changed_webp(data, random):
    parts = riff_chunks(data[12:])
    frames = [index for index, (name, _) in enumerate(parts) if name == b"ANMF"]
    way = random.randrange(9)
    if way == 0:
        order = rearranged(frames, random)
        parts = [part for part in parts if part[0] != b"ANMF"] + [parts[index] for index in order]
    elif way == 1:
        fields = {b"VP8X": ((0, 1), (0, 1), (1, 3), (4, 3), (7, 3)), b"ANIM": ((0, 4), (4, 2))}
        chosen = [index for index, (name, _) in enumerate(parts) if name in fields]
        if chosen:
            index = random.choice(chosen)
            name, body = parts[index]
            if name == b"VP8X" and random.random() < 0.4:
                body = bytes([body[0] ^ 1 << random.randrange(8)]) + body[1:]
            else:
                body = changed_field(body, *random.choice(fields[name]), "little", random)
            parts[index] = (name, body)
    elif way == 2:
        parts = rearranged(parts, random)
    elif frames:
        index = random.choice(frames)
        body = parts[index][1]
        head, inner = body[:16], riff_chunks(body[16:])
        at = random.randrange(len(inner)) if inner else None
        if way in (3, 4):
            # Place, size, duration, disposal and blending.
            place, size = random.choice(((0, 3), (3, 3), (6, 3), (9, 3), (12, 3), (15, 1)))
            head = changed_field(head, place, size, "little", random)
        elif way == 5 and inner:
            inner = rearranged(inner, random)
        elif way == 6 and inner:
            inner[at] = (inner[at][0], damaged(inner[at][1], random))
        elif way == 7 and inner:
            inner[at] = random.choice(riff_chunks(parts[random.choice(frames)][1][16:]) or [(b"VP8 ", b"")])
        else:
            made = random.choice(((b"ALPH", random.randbytes(20)), (b"ALPH", b"\0" + bytes(400)), (b"XYZW", b"abc"),
                                  (b"VP8L", bytes(5)), (b"VP8 ", random.randbytes(30)), (b"ANMF", body)))
            inner.insert(random.randrange(len(inner) + 1), made)
        parts[index] = (b"ANMF", head + joined_riff(inner))
    body = b"WEBP" + joined_riff(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


# --- AVIF


# How many bytes of a box come before its first box.
CONTAINERS = {b"moov": 0, b"trak": 0, b"mdia": 0, b"minf": 0, b"stbl": 0, b"edts": 0, b"dinf": 0, b"iprp": 0,
              b"ipco": 0, b"meta": 4, b"stsd": 8, b"av01": 78}
TABLES = {b"stts": 8, b"stsz": 4, b"stco": 4, b"stsc": 12, b"stss": 4, b"ctts": 8, b"elst": 12, b"co64": 8}


class Box:
    """A box: its bytes, or for a container the bytes before its boxes, and these."""

    def __init__(self, name, body):
        self.name, self.head, self.boxes = name, body, None
        if name in CONTAINERS and len(body) >= CONTAINERS[name]:
            self.head, self.boxes = body[: CONTAINERS[name]], boxes_of(body[CONTAINERS[name] :])

    def joined(self):
        body = self.head + b"".join(box.joined() for box in self.boxes or ())
        return struct.pack(">I", len(body) + 8) + self.name + body

    def all(self):
        yield self
        for box in self.boxes or ():
            yield from box.all()


def boxes_of(data):
    boxes, position = [], 0
    while position + 8 <= len(data):
        length = struct.unpack(">I", data[position : position + 4])[0] or len(data) - position
        if length < 8:
            break
        boxes.append(Box(data[position + 4 : position + 8], data[position + 8 : position + length]))
        position += length
    return boxes


def media_start(boxes):
    position = 0
    for box in boxes:
        if box.name == b"mdat":
            return position
        position += len(box.joined())
    return 0


def moved_offsets(boxes, distance):
    """Corrects the offsets of chunks of tracks (stco), and of items without construction (iloc of sizes 4, 4, 0)."""
    for box in (inner for box in boxes for inner in box.all()):
        body = bytearray(box.head)
        places = []
        if box.name == b"stco":
            places = range(8, len(body) - 3, 4)
        elif box.name == b"iloc" and len(body) > 8 and body[4:6] in (b"\x44\0", b"\x44\1"):
            identifier = 4 if body[0] == 2 else 2
            position = 6 + identifier
            while position + identifier + 2 <= len(body):
                position += identifier + (2 if body[0] else 0) + 2
                extents = int.from_bytes(body[position : position + 2], "big")
                position += 2
                places += [position + 8 * index for index in range(min(extents, 9))]
                position += 8 * extents
        for place in places:
            if place + 4 <= len(body):
                number = int.from_bytes(body[place : place + 4], "big") + distance
                body[place : place + 4] = struct.pack(">I", number & 0xFFFFFFFF)
        box.head = bytes(body)


def changed_boxes(data, random):
    boxes = boxes_of(data)
    start = media_start(boxes)
    everything = [box for top in boxes for box in top.all()]
    tracks = [box for box in everything if box.name in TABLES]
    moov = [top for top in boxes if top.name == b"moov"]
    inside = [box for top in moov for box in top.all()] or everything
    if not everything:
        return damaged(data, random)
    way = random.randrange(9)
    if way in (0, 1) and tracks:
        # One number of a table, whose count stays.
        box = random.choice(tracks)
        box.head = changed_field(box.head, random.randrange(4, max(5, len(box.head)), 4), 4, "big", random)
    elif way == 2 and tracks:
        # Entries removed or added, with their count.
        box = random.choice(tracks)
        size, begin = TABLES[box.name], 12 if box.name == b"stsz" else 8
        entries = [box.head[at : at + size] for at in range(begin, len(box.head) - size + 1, size)]
        entries = rearranged(entries, random)
        box.head = box.head[: begin - 4] + struct.pack(">I", len(entries)) + b"".join(entries)
    elif way == 3:
        box = random.choice([box for box in inside if box.boxes is None] or inside)
        box.head = damaged(box.head, random)
    elif way == 4:
        box = random.choice([box for box in inside if box.boxes is None] or inside)
        place, size = 4 * random.randrange(len(box.head) // 4 + 1), random.choice((2, 4))
        box.head = changed_field(box.head, place, size, "big", random)
    elif way == 5:
        box = random.choice([box for box in inside if box.boxes] or inside)
        box.boxes = rearranged(box.boxes or [], random)
    elif way == 6:
        boxes = rearranged(boxes, random)
    elif way == 7:
        box = random.choice(everything)
        if box.boxes is None and box.name != b"mdat":
            box.name = random.choice((b"free", b"skip", box.name[::-1], random.choice(everything).name))
        else:
            box.head = changed_field(box.head, 4 * random.randrange(len(box.head) // 4 + 1), 4, "big", random)
    else:
        for box in everything:
            if box.name == b"mdat":
                box.head = damaged(box.head, random)
    if random.random() < 0.85:
        moved_offsets(boxes, media_start(boxes) - start)
    return b"".join(box.joined() for box in boxes)


# --- JPEG XL


JXL_HEAD = b"\0\0\0\x0cJXL \r\n\x87\n" + b"\0\0\0\x14ftypjxl \0\0\0\0jxl "


def jxl_box(name, body):
    return struct.pack(">I", len(body) + 8) + name + body


def jxl_codestream(data):
    """The codestream, of a container that of all its boxes; `None` if it has none."""
    if data[:2] == b"\xff\x0a":
        return data
    stream = b""
    for box in boxes_of(data):
        if box.name == b"jxlc":
            stream += box.head
        elif box.name == b"jxlp":
            stream += box.head[4:]
    return stream or None


def jxl_container(stream, sizes):
    """The codestream in boxes jxlp; the last one has the rest of it."""
    data, position = JXL_HEAD, 0
    for number, size in enumerate(sizes):
        data += jxl_box(b"jxlp", struct.pack(">I", number) + stream[position : position + size])
        position += size
    return data + jxl_box(b"jxlp", struct.pack(">I", 0x80000000 | len(sizes)) + stream[position:])


def changed_jxl(data, random):
    stream = jxl_codestream(data)
    if stream is None:
        return damaged(data, random)
    isContainer = data[:2] != b"\xff\x0a"
    if random.random() < 0.4:
        # Boxes of the codestream: their number, order, sizes and contents.
        sizes = [random.choice((0, 1, 2, 12, random.randrange(len(stream) + 1))) for _ in range(random.randrange(4))]
        boxes = boxes_of(jxl_container(stream, sizes))[2:]
        way = random.randrange(7)
        box = random.choice(boxes)
        if way == 0:
            boxes = rearranged(boxes, random)
        elif way == 1:
            box.head = changed_field(box.head, 0, 4, "big", random)
        elif way == 2:
            box.head = damaged(box.head, random)
        elif way == 3:
            boxes.insert(random.randrange(len(boxes) + 1), Box(b"jxlc", random.choice((stream, stream[:20], b""))))
        elif way == 4:
            made = random.choice(((b"Exif", bytes(4) + b"MM\0*\0\0\0\x08\0\0"), (b"xml ", b"<x/>"), (b"jxll", b"\5"),
                                  (b"jxli", random.randbytes(6)), (b"free", b""), (b"jbrd", random.randbytes(9))))
            boxes.insert(random.randrange(len(boxes) + 1), Box(*made))
        elif way == 5:
            box.name = random.choice((b"jxlc", b"jxlp", b"free"))
        return JXL_HEAD + b"".join(box.joined() for box in boxes)
    # Bits, which are not aligned to bytes: the headers of the image are in the first 16 bytes.
    changed = bytearray(stream)
    way = random.randrange(5)
    if way == 0:
        return jxl_container(damaged(stream, random), [12]) if isContainer else damaged(stream, random)
    end = random.choice((16, 64, len(changed), len(changed)))
    for _ in range(random.choice((1, 1, 1, 2))):
        at = random.randrange(2, max(3, min(end, len(changed))))
        if way == 1:
            changed[at] = random.choice((0, 255, random.randrange(256)))
        elif way == 2:
            del changed[at : at + random.choice((1, 2, 9))]
        elif at < len(changed):
            changed[at] ^= 1 << random.randrange(8)
    return jxl_container(bytes(changed), [12]) if isContainer else bytes(changed)


# --- All formats


CHANGES = {".gif": changed_gif, ".png": changed_png, ".webp": changed_webp, ".avif": changed_boxes, ".jxl": changed_jxl}


def changed(data, extension, random):
    """The file with one to three parts of its animation changed. Parts that cannot be parsed any more stay."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        try:
            data = CHANGES[extension](data, random) or data
        except (IndexError, struct.error, OverflowError):
            break
    return data


def run(*command):
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)


def with_pillow(source, folder, pillow):
    """The frames of an animation, as Pillow writes them."""
    made = {}
    extensions = pillow.registered_extensions()
    for extension, options in ((".gif", {}), (".png", {}), (".webp", {"lossless": True, "allow_mixed": True}),
                               (".avif", {"quality": 60, "speed": 10})):
        if extension not in extensions:
            continue
        path = folder / f"made{extension}"
        try:
            with pillow.open(source) as image:
                frames = []
                for index in range(image.n_frames):
                    image.seek(index)
                    frames.append(image.convert("RGBA"))
            delays = [10 * (at + 1) for at in range(len(frames))]
            frames[0].save(path, save_all=True, append_images=frames[1:], duration=delays, loop=2, **options)
            made[extension] = path.read_bytes()
        except (OSError, ValueError):
            pass
    return made


def animated_inputs(texel, pillow):
    """Names and bytes of animations: written here, by Pillow, gif2webp, cjxl, and by the program."""
    files = {f"animation-{name}.gif": data for name, data in gifs().items()}
    files |= {f"animation-{name}.png": data for name, data in pngs().items()}
    with tempfile.TemporaryDirectory(prefix="texel-animations-") as folder:
        folder = pathlib.Path(folder)
        for name in ("animation-disposal.gif", "animation-local.gif", "animation-rgba.png", "animation-grey-16.png",
                     "animation-restored.png"):
            path = folder / name
            path.write_bytes(files[name])
            for extension, options in (
                    (".gif", []), (".png", []), (".webp", []), (".webp", ["--lossless"]), (".avif", []),
                    (".avif", ["--lossless"]), (".jxl", []), (".jxl", ["--lossless"])):
                if extension == path.suffix:
                    continue
                output = folder / f"{path.stem}{'-exact' if options else ''}-as{extension}"
                run(texel, "compress", path, "--effort", "fast", "-o", output, *options)
                if output.exists() and output.read_bytes() not in files.values():
                    files[output.name] = output.read_bytes()
        source = folder / "animation-disposal.gif"
        if pillow:
            files |= {f"animation-of-pillow{extension}": data
                      for extension, data in with_pillow(source, folder, pillow).items()}
        for program, extension, options in (
                ("gif2webp", ".webp", ["-mixed", "-quiet"]), ("gif2webp", ".webp", ["-lossy", "-quiet"]),
                ("cjxl", ".jxl", ["-d", "0", "-e", "3"]), ("cjxl", ".jxl", ["-d", "1", "-e", "3"])):
            output = folder / f"animation-of-{program}{''.join(options[:2])}{extension}"
            if shutil.which(program):
                arguments = [source, "-o", output] if program == "gif2webp" else [source, output]
                run(program, *options, *arguments)
                if output.exists():
                    files[output.name] = output.read_bytes()
    for name, sizes in (("animation-rgba-as.jxl", [12]), ("animation-disposal-exact-as.jxl", [0, 3, 40, 1])):
        if name in files and jxl_codestream(files[name]):
            files[name.replace("-as", "-in-parts")] = jxl_container(jxl_codestream(files[name]), sizes)
    return files
