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
CHOOSING = {"png", "apng", "jpeg", "arriving", "exif", "xmp", "rewriting", "moving", "processing", "job", "nut", "cache", "webp"}


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


def y4m():
    for space, samples in (("420jpeg", 24), ("422", 32), ("444", 48), ("mono", 16), ("420p10", 48)):
        for rest in ("F25:1 Ip A1:1 XCOLORRANGE=FULL", "F30000:1001 XYSCSS=420JPEG", ""):
            frame = b"FRAME\n" + bytes(index * 7 % 256 for index in range(samples))
            yield f"YUV4MPEG2 W4 H4 C{space} {rest}\n".encode() + frame * 3


def nut():
    """Streams written by ffmpeg; none if it is not installed."""
    if not shutil.which("ffmpeg"):
        return
    for pixels in ("yuv420p", "bgra", "gray", "yuv444p"):
        command = f"ffmpeg -v error -f lavfi -i testsrc=size=16x8:rate=10 -frames:v 3 -pix_fmt {pixels} -c:v rawvideo -f nut -"
        yield subprocess.run(command.split(), capture_output=True, check=True).stdout


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
    seeds.add("probe jpeg arriving rewriting moving processing mjpeg", data)
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
        elif is_icc:
            seeds.add("icc", data)
        elif path.suffix == ".y4m":
            seeds.add("y4m", data)
    seeds.add("apng probe png", animation())
    for stream in y4m():
        seeds.add("y4m", stream)
    for stream in nut():
        seeds.add("nut", stream)
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
