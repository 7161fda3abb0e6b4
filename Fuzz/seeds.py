"""Makes the seed inputs of the fuzz targets: python3 seeds.py FOLDER

The seeds are small files from TestImages and from the folder in TEXEL_CORPORA, their segments and chunks, streams
assembled from them, and the texts in Seeds/. Each target has its own folder.
"""

import hashlib
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
# Larger seeds slow down every execution without adding coverage.
LARGEST = 16_000
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The targets whose last eight bytes choose options.
CHOOSING = {"png", "apng", "gif", "jpeg", "jpeg-scan", "pnm", "bmp", "qoi", "webp", "avif", "heic", "boxes", "jxl", "tiff", "arriving", "exif", "xmp", "rewriting", "moving", "processing", "job", "cache"}


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def chunks(png):
    """The names and data of a PNG's complete chunks."""
    position = len(PNG_SIGNATURE)
    while position + 12 <= len(png):
        (length,) = struct.unpack_from(">I", png, position)
        if position + 12 + length > len(png):
            return
        yield png[position + 4 : position + 8], png[position + 8 : position + 8 + length]
        position += 12 + length


def segments(jpeg):
    """The markers and payloads of a JPEG's segments before its first scan."""
    position = 2
    while position + 4 <= len(jpeg) and jpeg[position] == 0xFF:
        marker, length = jpeg[position + 1], int.from_bytes(jpeg[position + 2 : position + 4], "big")
        if marker == 0xDA or length < 2:
            return
        yield marker, jpeg[position + 4 : position + 2 + length]
        position += 2 + length


def tiff():
    """TIFFs of both byte orders: uncompressed, PackBits and deflate; strips, tiles and planes; a palette; two pages."""
    def file(order, pages):
        mark, data, link = (b"II", b"", 4) if order == "<" else (b"MM", b"", 4)
        data = mark + struct.pack(order + "HI", 42, 0)
        for fields, parts, is_tiled in pages:
            positions = []
            for part in parts:
                positions.append(len(data))
                data += part + bytes(len(part) % 2)
            fields = dict(fields)
            fields[324 if is_tiled else 273] = ("I", positions)
            fields[325 if is_tiled else 279] = ("I", [len(part) for part in parts])
            data = data[:link] + struct.pack(order + "I", len(data)) + data[link + 4 :]
            entries, outside, start = b"", b"", len(data) + 2 + 12 * len(fields) + 4
            for tag, (kind, numbers) in sorted(fields.items()):
                value = struct.pack(order + str(len(numbers)) + kind, *numbers)
                entries += struct.pack(order + "HHI", tag, {"B": 1, "H": 3, "I": 4}[kind], len(numbers))
                entries += value.ljust(4, b"\0") if len(value) <= 4 else struct.pack(order + "I", start + len(outside))
                outside += value + bytes(len(value) % 2) if len(value) > 4 else b""
            data += struct.pack(order + "H", len(fields)) + entries
            link = len(data)
            data += bytes(4) + outside
        return data

    def fields(width, height, bits, samples, photometric, compression, **others):
        return {256: ("H", [width]), 257: ("H", [height]), 258: ("H", [bits] * samples), 259: ("H", [compression]),
                262: ("H", [photometric]), 277: ("H", [samples]), 278: ("H", [height]),
                **{int(tag[1:]): value for tag, value in others.items()}}

    rows = bytes(range(48))
    gray = (fields(8, 6, 8, 1, 1, 1), [rows], False)
    for order in "<>":
        yield file(order, [gray])
        yield file(order, [(fields(4, 4, 8, 3, 2, 8, _317=("H", [2])), [zlib.compress(rows)], False), gray])
        yield file(order, [(fields(4, 2, 8, 3, 2, 1, _284=("H", [2])), [rows[:8]] * 3, False)])
        yield file(order, [(fields(20, 20, 8, 1, 0, 32773, _322=("H", [16]), _323=("H", [16])), [b"\x81\x07" * 2] * 4, True)])
        yield file(order, [(fields(8, 2, 2, 1, 3, 1, _320=("H", list(range(0, 60000, 5000)))), [rows[:4]], False)])
        yield file(order, [(fields(2, 2, 16, 4, 2, 1, _338=("H", [1])), [rows[:32]], False)])
        yield file(order, [(fields(8, 2, 1, 1, 0, 4), [b"\xc0\x04\x00\x40"], False)])
        yield file(order, [(fields(4, 2, 8, 3, 6, 1), [rows[:12]], False)])
        yield file(order, [(fields(2, 2, 8, 4, 5, 1), [rows[:16]], False)])


def animation():
    """An APNG of two frames; the second is smaller and blended over the first."""
    rows = b"".join(b"\0" + bytes((x * 30, y * 40, 90, 255 - 20 * x) [i] for x in range(8) for i in range(4)) for y in range(6))
    part = b"".join(b"\1" + bytes(range(12)) for _ in range(3))
    control = lambda number, width, height, x, y, dispose, blend: chunk(
        b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, x, y, 1, 10, dispose, blend))
    return (
        PNG_SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 6, 8, 6, 0, 0, 0))
        + chunk(b"acTL", struct.pack(">II", 2, 0)) + control(0, 8, 6, 0, 0, 1, 0) + chunk(b"IDAT", zlib.compress(rows))
        + control(1, 3, 3, 2, 1, 2, 1) + chunk(b"fdAT", struct.pack(">I", 2) + zlib.compress(part)) + chunk(b"IEND", b"")
    )


def gif():
    """A GIF of two frames with a comment, XMP and repetitions; the second is smaller and interlaced."""
    xmp = b"<x:xmpmeta/>" + bytes([1, *range(255, -1, -1), 0])
    control = lambda disposal: b"\x21\xf9\x04" + struct.pack("<BHBB", disposal << 2 | 1, 5, 0, 0)
    image = lambda x, y, width, height, flags, data: (
        b"\x2c" + struct.pack("<HHHHB", x, y, width, height, flags) + b"\x02" + bytes([len(data)]) + data + b"\0")
    return (
        b"GIF89a" + struct.pack("<HHBBB", 4, 4, 0xF1, 0, 0) + bytes(range(0, 240, 20))
        + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0" + b"\x21\xff\x0bXMP DataXMP" + xmp + b"\x21\xfe\x02hi\0"
        + control(1) + image(0, 0, 4, 4, 0, bytes([0x8C, 0x0D, 0x99, 0x87, 0x2A, 0x1C, 0xDC, 0x33, 0xA0]))
        + control(2) + image(1, 1, 2, 2, 0x40, bytes([0x44, 0x34, 0x05])) + b";"
    )


def y4m():
    for space, samples in (("420jpeg", 24), ("422", 32), ("444", 48), ("mono", 16), ("420p10", 48)):
        for rest in ("F25:1 Ip A1:1 XCOLORRANGE=FULL", "F30000:1001 XYSCSS=420JPEG", ""):
            frame = b"FRAME\n" + bytes(index * 7 % 256 for index in range(samples))
            yield f"YUV4MPEG2 W4 H4 C{space} {rest}\n".encode() + frame * 3


def videos():
    """Small videos of several containers and codecs, written by ffmpeg; none if it is not installed."""
    if not shutil.which("ffmpeg"):
        return
    for codec, container in (
        ("libx264", "matroska"), ("libx264", "mpegts"), ("mpeg4", "avi"), ("libvpx-vp9", "webm"), ("ffv1", "nut"),
        ("mpeg2video", "mpeg"), ("flv1", "flv"), ("libx264", "h264"),
    ):
        command = f"ffmpeg -v error -f lavfi -i testsrc=size=32x16:rate=10 -frames:v 3 -c:v {codec} -f {container} -"
        result = subprocess.run(command.split(), capture_output=True)
        if result.returncode == 0:
            yield result.stdout


def cache_entries(pictures):
    """Entries of the disk cache (CacheEntryFile.swift), and their contents."""
    text = lambda value: struct.pack("<q", len(value)) + value
    size = lambda width, height: struct.pack("<qq", width, height)
    encoded = (
        text(b"encoded image") + size(4, 4) + text(b"png") + text(b"streaming") + b"\1" + b"\1" + struct.pack("<d", 87.5)
        + b"\1" + text(b"quality 80") + struct.pack("<q", 1) + text(b"a warning"))
    yield encoded, b"content"
    for name, png in pictures:
        width, height, _, kind = struct.unpack_from(">IIBB", png, 16)
        opaque = b"\1" if kind in (0, 2) else b"\0"
        yield text(b"pixel buffer") + size(width, height) + opaque + text(b"sRGB"), png
        yield text(b"pixel buffer") + size(width, height) + opaque + text(b"calibrated") + b"\1" + struct.pack(
            "<Q", 45455) + b"\0", png


def pnm():
    """Files of each magic number, of several maxvals, with comments and several images."""
    for maximum in (1, 9, 255, 1000, 65535):
        samples = [index * 7 % (maximum + 1) for index in range(36)]
        for kind, count in ((2, 12), (3, 36), (5, 12), (6, 36)):
            head = b"P%d\n# a\n4 3 # b\n%d\n" % (kind, maximum)
            if kind < 4:
                yield head + b" ".join(b"%d" % sample for sample in samples[:count]) + b"\n"
            else:
                yield head + b"".join(sample.to_bytes(2 if maximum > 255 else 1, "big") for sample in samples[:count])
        for depth, kind in enumerate(("GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"), 1):
            head = b"P7\n# a\nWIDTH 3\nHEIGHT 3\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n" % (
                depth, maximum, kind.encode())
            yield head + b"".join(
                sample.to_bytes(2 if maximum > 255 else 1, "big") for sample in samples[: 9 * depth])
    yield b"P1\n5 2\n1 0 1 0 0\n0 0 1 1 0\n"
    bits = b"P4\n11 2\n" + b"\xa5\x40\x5a\x80"
    yield bits
    yield bits + b"P5 2 1 255 ab" + bits


def bmp():
    """Files of each header and coding."""
    def file(version, bits, compression, pixels, palette=b"", masks=b""):
        if version == 12:
            header = struct.pack("<IHHHH", 12, 5, 2, 1, bits)
        else:
            header = struct.pack("<IiiHHIIIIII", version, 5, 2, 1, bits, compression, 0, 3780, 3780, len(palette) // 4, 0)
            header += masks if version >= 52 else b""
            header = header[:version] + bytes(max(0, version - len(header)))
        after = masks if version == 40 else b""
        start = 14 + len(header) + len(after) + len(palette)
        size = start + len(pixels)
        return b"BM" + struct.pack("<IHHI", size, 0, 0, start) + header + after + palette + pixels

    colors = bytes(range(64))
    for version in (12, 16, 40, 64, 108, 124):
        for bits in (1, 4, 8, 24, 32):
            entries = min(1 << bits, 16) if bits <= 8 else 0
            palette = colors[: entries * (3 if version == 12 else 4)]
            yield file(version, bits, 0, bytes(index * 3 % 2 for index in range((5 * bits + 31) // 32 * 8)), palette)
    yield file(40, 64, 0, bytes(index * 11 % 256 for index in range(80)))
    for version in (40, 56, 108, 124):
        for bits, masks in ((16, (0xF800, 0x7E0, 0x1F, 0)), (32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000))):
            yield file(version, bits, 3 if version > 40 else 6, bytes(range(40)), masks=struct.pack("<4I", *masks))
    yield file(40, 8, 1, bytes([2, 7, 0, 3, 1, 2, 3, 0, 0, 0, 2, 4, 0, 2, 1, 0, 2, 5, 0, 1]), colors)
    yield file(40, 4, 2, bytes([5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 1]), colors)
    yield file(64, 24, 4, bytes([2, 1, 2, 3, 0, 3, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 5, 0, 0, 255, 0, 1]))


def qoi():
    """Files with each kind of chunk."""
    chunks = bytes([0xC0, 0x55, 0x80, 0x0F, 0xFF, 1, 2, 3, 4, 53, 0xFE, 9, 8, 7, 0x7F, 0xC5, 0xFD])
    for channels in (3, 4):
        for space in (0, 1):
            yield b"qoif" + struct.pack(">IIBB", 5, 4, channels, space) + chunks + bytes([0, 0, 0, 0, 0, 0, 0, 1])


class Seeds:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, targets, data, choices=None):
        for target in targets.split():
            place = self.folder / target
            place.mkdir(parents=True, exist_ok=True)
            digest = hashlib.blake2b(data, digest_size=8).digest()
            if target in CHOOSING:
                tails = [choices] if choices else [bytes(8), digest]
                for tail in tails:
                    (place / hashlib.blake2b(data + tail, digest_size=8).hexdigest()).write_bytes(data + tail)
            else:
                (place / digest.hex()).write_bytes(data)


def add_jpeg(seeds, data):
    seeds.add("probe jpeg jpeg-scan arriving rewriting moving processing mjpeg", data)
    seeds.add("mjpeg", data * 2)
    profile = b""
    for marker, payload in segments(data):
        if marker == 0xE1 and payload.startswith(b"Exif\0\0"):
            seeds.add("exif", payload[6:])
        if marker == 0xE1 and payload.startswith(b"http://ns.adobe.com/xap/1.0/\0"):
            seeds.add("xmp", payload[29:])
        if marker == 0xE2 and payload.startswith(b"ICC_PROFILE\0"):
            profile += payload[14:]
    if profile:
        seeds.add("icc", profile)


def add_png(seeds, data):
    seeds.add("probe png arriving rewriting processing", data)
    if b"acTL" in data:
        seeds.add("apng", data)
    for name, content in chunks(data):
        if name == b"eXIf":
            seeds.add("exif", content)
        if name in (b"iCCP", b"iTXt"):
            try:
                inflated = zlib.decompress(content.split(b"\0", 2)[2])
                seeds.add("icc", inflated)
            except (zlib.error, IndexError):
                pass
            if b"<?xpacket" in content:
                seeds.add("xmp", content[content.index(b"<?xpacket") :])


def main():
    seeds = Seeds(sys.argv[1])
    roots = [HERE.parent / "TestImages"]
    if os.environ.get("TEXEL_CORPORA"):
        roots.append(pathlib.Path(os.environ["TEXEL_CORPORA"]))
    files = sorted(path for root in roots for path in root.rglob("*") if path.is_file())
    small_pngs = []
    for path in files:
        is_icc = path.suffix == ".icc"
        if path.stat().st_size > (64_000 if is_icc else LARGEST):
            # Only the headers of larger images.
            if path.suffix in (".jpg", ".jpeg"):
                head = path.read_bytes()[:LARGEST]
                seeds.add("probe", head)
            continue
        data = path.read_bytes()
        if data.startswith(b"\xff\xd8\xff"):
            add_jpeg(seeds, data)
        elif data.startswith(PNG_SIGNATURE[:4]):
            add_png(seeds, data)
            if len(data) < 500 and data[24:26] in (b"\x08\x02", b"\x08\x06"):
                small_pngs.append((path.name, data))
        elif data[4:12] in (b"ftypavif", b"ftypavis"):
            seeds.add("probe avif boxes arriving rewriting", data)
        elif data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1"):
            seeds.add("probe heic arriving rewriting", data)
        elif data.startswith(b"GIF8"):
            seeds.add("probe gif arriving rewriting processing", data)
        elif is_icc:
            seeds.add("icc", data)
        elif path.suffix == ".y4m":
            seeds.add("y4m", data)
    seeds.add("apng probe png", animation())
    seeds.add("gif probe arriving rewriting processing", gif())
    for stream in y4m():
        seeds.add("y4m", stream)
    for data in pnm():
        seeds.add("pnm probe arriving rewriting", data)
    for data in bmp():
        seeds.add("bmp probe arriving rewriting", data)
    for data in qoi():
        seeds.add("qoi probe arriving rewriting", data)
    for data in tiff():
        seeds.add("tiff probe arriving rewriting", data)
    for video in videos():
        seeds.add("video", video)
    for metadata, content in cache_entries(small_pngs[:4]):
        # The choices: the length of the metadata, and that the input is its contents.
        seeds.add("cache", metadata + content, struct.pack(">Q", len(metadata) + 600))
        seeds.add("cache", b"TEXELKV1" + bytes(32) + struct.pack("<qq", len(metadata), len(content)) + bytes(32) + metadata
                  + content, bytes(8))
    for path in sorted((HERE / "Seeds").rglob("*")):
        if path.is_file():
            seeds.add(path.parent.name, path.read_bytes())
    for target in sorted(seeds.folder.iterdir()):
        print(f"{target.name}: {sum(1 for _ in target.iterdir())} seeds")


main()
