#!/usr/bin/env python3
"""Damages images, converts them to every format, and checks the results with other readers: `make test-mutants`.

The inputs are the small images of the folders, what the program makes of some of them in the other formats, and
animations in five formats (animated_files.py). Each mutant is an input with a few changes: flipped bits, a cut, or
parts (chunks of PNG and WebP, segments of JPEG, blocks of GIF, boxes of AVIF, HEIC and JPEG XL, tags of TIFF) that are
changed, cut, doubled, swapped, removed or added, with corrected lengths and checksums. Half of the mutants of an
animation have changes of its frames: their fields, data, order and tables. The same seed gives the same mutants.

Still images are converted to every format. Animations are converted to the five formats of animations, each with flags
that the seed chooses: fewer, reversed or smaller frames, other speeds, metadata, losslessness and levels of --fail-on.
With --worker, these conversions are jobs of one process for many mutants, which is faster; every fifth one still is a
run of its own, and a conversion that fails is repeated as such a run before it is reported.

A run must end with an exit code of the program's own within LIMIT seconds. If the code is 0, the result must be valid;
otherwise there must be no result, and one line on standard error. A run must not leave other files in the folder of the
result. PNGs and GIFs are checked here, chunk by chunk and code by code, all formats by Pillow, djpeg, dwebp, webpmux,
gifsicle, avifdec, djxl and tiffinfo, if they are installed. ffmpeg is slower: it reads one of SHARE animated GIFs and
PNGs, and dwebp each frame of one of SHARE animated WebPs. TIFFs for whose samples Pillow has no
mode are left to tiffinfo, and counted. The last lines are tables: all runs, for each format of input and output the
results, and those of them that are not valid, and the mutants of animations. The exit code is 1 if a run failed.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import select
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import warnings
import zlib

try:
    import PIL
    import PIL.Image
    import PIL.ImageSequence
    import PIL.TiffImagePlugin

    # Wide images are meant to be read, and warnings are no errors.
    PIL.Image.MAX_IMAGE_PIXELS = None
    warnings.simplefilter("ignore")
except ImportError:
    PIL = None

# The import must not leave a folder of byte code among the scripts.
sys.dont_write_bytecode = True
import animated_files  # noqa: E402
from animated_files import SIGNATURE, chunk  # noqa: E402

ANIMATED = ("png", "webp", "avif", "jxl", "gif")
FORMATS = {"png": "png", "jpeg": "jpg", "webp": "webp", "avif": "avif", "jxl": "jxl", "gif": "gif", "tiff": "tif",
           "ppm": "ppm"}
READABLE = [*FORMATS.values(), "heic", "bmp", "qoi"]
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


# --- Checking results


class Invalid(Exception):
    """Why a result is not valid."""


def expect(condition, message):
    if not condition:
        raise Invalid(message)


def png_chunks(data):
    expect(data[:8] == SIGNATURE, "no signature")
    position = 8
    while position < len(data):
        expect(position + 12 <= len(data), "a chunk is cut off")
        length, name = struct.unpack(">I4s", data[position : position + 8])
        expect(position + 12 + length <= len(data), f"{name} is cut off")
        body = data[position + 8 : position + 8 + length]
        checksum = struct.unpack(">I", data[position + 8 + length : position + 12 + length])[0]
        expect(zlib.crc32(name + body) == checksum, f"{name} has a wrong checksum")
        yield name.decode("latin1"), body
        position += 12 + length


def check_stream(stream, width, height, depth, color, interlaced, what):
    """Inflates the pixels with the declared window; they must fill the rows exactly."""
    inflater = zlib.decompressobj(0)
    rows = b""
    try:
        # In small steps, because zlib only checks distances that reach before the output of a call.
        rest = stream
        while rest and not inflater.eof:
            rows += inflater.decompress(rest, 1 << 16)
            rest = inflater.unconsumed_tail
    except zlib.error as error:
        raise Invalid(f"{what}: {error}") from None
    expect(inflater.eof and not inflater.unused_data, f"{what}: the stream does not end with the data")
    position, bits = 0, CHANNELS[color] * depth
    for x, y, step_x, step_y in PASSES if interlaced else ((0, 0, 1, 1),):
        columns, count = (width - x + step_x - 1) // step_x, (height - y + step_y - 1) // step_y
        for _ in range(count if columns > 0 else 0):
            expect(rows[position : position + 1] <= b"\x04", f"{what}: unknown filter")
            position += (columns * bits + 7) // 8 + 1
    expect(position == len(rows), f"{what}: {len(rows)} bytes of rows instead of {position}")


def check_text(name, body):
    keyword, separator, rest = body.partition(b"\0")
    expect(separator and 1 <= len(keyword) <= 79, f"{name}: keyword")
    if name == "tEXt":
        expect(b"\0" not in rest, "tEXt: zero byte")
        return
    if name in ("zTXt", "iCCP"):
        expect(rest[:1] == b"\0", f"{name}: compression method")
        packed = rest[1:]
    else:
        expect(len(rest) > 2 and rest[0] <= 1 and rest[1] == 0, "iTXt: compression")
        parts = rest[2:].split(b"\0", 2)
        expect(len(parts) == 3, "iTXt: fields")
        packed, text = (parts[2] if rest[0] else None), b""
        if packed is None:
            expect(b"\0" not in parts[2], "iTXt: zero byte")
            text = parts[2]
    if packed is not None:
        inflater = zlib.decompressobj()
        try:
            text = inflater.decompress(packed)
        except zlib.error as error:
            raise Invalid(f"{name}: {error}") from None
        expect(inflater.eof, f"{name}: the stream is cut off")
        if name == "iCCP":
            expect(len(text) >= 132 and struct.unpack(">I", text[:4])[0] == len(text), "iCCP: length of the profile")
    if name == "iTXt":
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise Invalid(f"iTXt: {error}") from None


def check_png(data):
    """Lengths, checksums, order, numbers and values of all chunks, and the pixels of all frames. Returns the number of
    frames, which is 0 for a still image."""
    names, palette, pixels, frames, sequence, declared = [], None, b"", [], 0, None
    header = None
    for name, body in png_chunks(data):
        expect(names[-1:] != ["IEND"], f"{name} follows IEND")
        once = {"IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "hIST",
                "pHYs", "tIME", "eXIf", "acTL"}
        expect(name not in once or name not in names, f"{name} is not unique")
        if name in once - {"tIME", "eXIf"}:
            expect("IDAT" not in names, f"{name} follows IDAT")
        if name in ("gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT"):
            expect("PLTE" not in names, f"{name} follows PLTE")
        expect((name == "IHDR") == (not names), f"{name} is out of place")
        lengths = {"IHDR": 13, "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24, "cLLI": 8, "pHYs": 9, "tIME": 7,
                   "acTL": 8, "fcTL": 26, "IEND": 0}
        expect(len(body) == lengths.get(name, len(body)), f"{name} has {len(body)} bytes")
        if name == "IHDR":
            header = width, height, depth, color, *methods, interlaced = struct.unpack(">IIBBBBB", body)
            expect(width > 0 and height > 0 and methods == [0, 0] and interlaced < 2, "IHDR")
            expect(depth in {0: (1, 2, 4, 8, 16), 3: (1, 2, 4, 8)}.get(color, (8, 16)) and color in CHANNELS, "IHDR")
        elif name == "PLTE":
            palette = len(body) // 3
            expect(color in (2, 3, 6) and len(body) % 3 == 0 and 0 < palette <= (1 << depth if color == 3 else 256), "PLTE")
        elif name == "tRNS":
            sizes = {0: [2], 2: [6], 3: range(1, (palette or 0) + 1)}
            expect(len(body) in sizes.get(color, ()), f"tRNS has {len(body)} bytes")
        elif name == "bKGD":
            expect(len(body) == {0: 2, 3: 1, 4: 2}.get(color, 6), "bKGD")
        elif name == "hIST":
            expect(palette and len(body) == 2 * palette, "hIST")
        elif name == "sBIT":
            largest = 8 if color == 3 else depth
            expect(len(body) == {0: 1, 4: 2, 6: 4}.get(color, 3) and all(0 < bits <= largest for bits in body), "sBIT")
        elif name == "gAMA":
            expect(0 < struct.unpack(">I", body)[0] < 1 << 31, "gAMA")
        elif name == "cHRM":
            values = struct.unpack(">8I", body)
            expect(values[1] > 0 and all(x + y <= 100_000 for x, y in zip(values[::2], values[1::2])), "cHRM")
        elif name == "sRGB":
            expect(body[0] <= 3 and "iCCP" not in names, "sRGB")
        elif name == "cICP":
            expect(body[2] == 0 and body[3] <= 1, "cICP")
        elif name == "pHYs":
            expect(body[8] <= 1, "pHYs")
        elif name == "eXIf":
            expect(body[:4] in (b"II*\0", b"MM\0*"), "eXIf")
        elif name in ("tEXt", "zTXt", "iTXt", "iCCP"):
            check_text(name, body)
        elif name == "acTL":
            declared = struct.unpack(">I", body[:4])[0]
            expect(declared > 0, "acTL declares no frames")
        elif name in ("fcTL", "fdAT"):
            expect(len(body) > 4 and struct.unpack(">I", body[:4])[0] == sequence, f"{name}: sequence number")
            sequence += 1
            if name == "fcTL":
                _, w, h, x, y, _, _, dispose, blend = struct.unpack(">IIIIIHHBB", body)
                expect(w > 0 and h > 0 and x + w <= width and y + h <= height and dispose < 3 and blend < 2, "fcTL")
                expect("IDAT" in names or (w, h) == (width, height), "fcTL: size of the default image")
                frames.append([w, h, b""])
            else:
                expect(frames and "IDAT" in names, "fdAT is out of place")
                frames[-1][2] += body[4:]
        elif name == "IDAT":
            expect("IDAT" not in names or names[-1] == "IDAT", "IDAT is out of place")
            expect(color != 3 or palette, "no PLTE")
            pixels += body
        elif name != "IEND":
            expect(name[0].islower(), f"{name} is unknown")
        names.append(name)
    expect(names[-1:] == ["IEND"] and "IDAT" in names, "no end")
    # acTL comes before IDAT; where it is among fcTL is free (PNG, third edition, 5.6).
    expect(declared is not None or not frames, "fcTL without acTL")
    expect(declared in (None, len(frames)), f"acTL declares {declared} frames, there are {len(frames)}")
    check_stream(pixels, *header[:4], header[6], "IDAT")
    for index, (w, h, stream) in enumerate(frames):
        isDefault = index == 0 and names.index("fcTL") < names.index("IDAT")
        if not isDefault:
            check_stream(stream, w, h, *header[2:4], header[6], f"frame {index}")
    return len(frames)


def check_lzw(data, minimum, count, colors, transparent, what):
    """Decodes the data: they must begin with a clear code, make exactly `count` indices, and stop at the end code. The
    transparent index has no colour, and may be outside of the table: Pillow writes such files."""
    clear, end = 1 << minimum, (1 << minimum) + 1
    initial = [bytes([index]) for index in range(clear)] + [b"", b""]
    table, size, previous, position = list(initial), minimum + 1, None, 0
    number, total = int.from_bytes(data, "little"), 8 * len(data)
    first, pixels = True, []
    while True:
        expect(position + size <= total, f"{what}: no end code")
        code = number >> position & (1 << size) - 1
        position += size
        expect(not first or code == clear, f"{what}: no clear code at the start")
        first = False
        if code == end:
            break
        if code == clear:
            table, size, previous = list(initial), minimum + 1, None
            continue
        expect(code < len(table) or code == len(table) < 4096 and previous, f"{what}: unknown code {code}")
        expect(previous is not None or code < clear, f"{what}: code {code} follows a clear code")
        entry = table[code] if code < len(table) else previous + previous[:1]
        pixels.append(entry)
        if previous is not None and len(table) < 4096:
            table.append(previous + entry[:1])
        if len(table) == 1 << size and size < 12:
            size += 1
        previous = entry
    expect((position + 7) // 8 == len(data), f"{what}: bytes after the end code")
    pixels = b"".join(pixels)
    expect(len(pixels) == count, f"{what}: {len(pixels)} indices instead of {count}")
    largest = max(set(pixels) - {transparent}, default=0)
    expect(largest < colors, f"{what}: index {largest} in a table of {colors} colours")


def check_gif(data):
    """Blocks, fields and indices of all images. Returns the number of images."""
    expect(data[:6] in (b"GIF87a", b"GIF89a") and len(data) > 13, "no GIF")
    width, height, flags = struct.unpack("<HHB", data[6:11])
    expect(width > 0 and height > 0, "screen without pixels")
    position = 13
    table = 2 << (flags & 7) if flags & 0x80 else 0
    position += 3 * table
    expect(not table or data[11] < table, "the background is not in the table")
    control, transparent, images = False, None, 0

    def blocks():
        nonlocal position
        result = []
        while True:
            expect(position < len(data), "a block is cut off")
            size = data[position]
            expect(position + 1 + size <= len(data), "a sub-block is cut off")
            result.append(data[position + 1 : position + 1 + size])
            position += 1 + size
            if size == 0:
                return result[:-1]

    while True:
        expect(position < len(data), "no trailer")
        kind = data[position]
        if kind == 0x3B:
            break
        if kind == 0x21:
            expect(position + 2 < len(data), "an extension is cut off")
            label = data[position + 1]
            position += 2
            body = blocks()
            expect(body, "an extension without fields")
            if label == 0xF9:
                expect(not control, "two control extensions for one image")
                expect([len(block) for block in body] == [4], "size of a control extension")
                expect(body[0][0] >> 2 < 4, "disposal")
                control, transparent = True, body[0][3] if body[0][0] & 1 else None
            elif label == 0xFF:
                expect(len(body[0]) == 11, "size of an application extension")
                if body[0] == b"NETSCAPE2.0":
                    expect(len(body) > 1 and len(body[1]) == 3 and body[1][0] == 1, "NETSCAPE2.0")
            elif label == 1:
                expect(len(body[0]) == 12, "size of a text extension")
                control, transparent = False, None
            else:
                expect(label == 0xFE, f"unknown extension {label}")
            continue
        expect(kind == 0x2C, f"unknown block {kind} at {position}")
        expect(position + 11 <= len(data), "an image is cut off")
        what = f"image {images}"
        x, y, w, h, flags = struct.unpack("<HHHHB", data[position + 1 : position + 10])
        expect(w > 0 and h > 0 and x + w <= width and y + h <= height, f"{what}: {w}x{h}+{x}+{y} in {width}x{height}")
        local = 2 << (flags & 7) if flags & 0x80 else 0
        position += 10 + 3 * local
        expect(local or table, f"{what}: no colours")
        expect(position < len(data) and 2 <= data[position] <= 8, f"{what}: size of codes")
        minimum = data[position]
        position += 1
        check_lzw(b"".join(blocks()), minimum, w * h, local or table, transparent, what)
        control, transparent = False, None
        images += 1
    expect(images > 0, "no images")
    expect(not control, "a control extension without an image")
    expect(position + 1 == len(data), "bytes after the trailer")
    return images


# Names of valid results that only libtiff can judge.
unread = []


def lacks_mode(path, error):
    """Whether Pillow has no mode for the samples of a TIFF: it says so of further pages, but not of the first."""
    if isinstance(error, PIL.UnidentifiedImageError):
        try:
            PIL.TiffImagePlugin.TiffImageFile(path)
        except SyntaxError as reason:
            error = reason
    return isinstance(error, SyntaxError) and str(error) == "unknown pixel mode"


def is_wide_avif(path):
    """Whether a side of the image is above the limit of libavif, which Pillow cannot change."""
    data = path.read_bytes()
    at = data.find(b"ispe")
    return at > 0 and max(struct.unpack(">II", data[at + 8 : at + 16].ljust(8, b"\0"))) > 32_768


def check_with_pillow(path, form):
    """Returns the number of frames that Pillow decodes."""
    count = 0
    try:
        with PIL.Image.open(path) as image:
            for frame in PIL.ImageSequence.Iterator(image):
                frame.load()
                count += 1
    except Exception as error:  # Pillow raises errors of any type.
        # Its libaom checks the padding after AV1 data. dav1d and libgav1 decode changed data to other pixels without an
        # error, so that Texel cannot know. avifdec decodes these files below.
        if form == "avif" and ("Failed to decode frame" in str(error) or is_wide_avif(path)):
            return count
        if form == "tiff" and shutil.which("tiffinfo") and lacks_mode(path, error):
            unread.append(path.name)
            return count
        raise Invalid(f"Pillow: {type(error).__name__}: {error}") from None
    return count


def check_with(program, *arguments, tolerates="\n"):
    """`tolerates` is the text of a message that does not count."""
    run = subprocess.run([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    lines = run.stderr.decode(errors="replace").strip().splitlines() or [f"exit {run.returncode}"]
    if run.returncode != 0 and any(tolerates not in line for line in lines):
        # djxl begins with its version.
        reasons = [line for line in lines if "fail" in line.lower() or "error" in line.lower()]
        raise Invalid(f"{program}: {(reasons or lines)[0]}")


def is_animated_webp(data):
    return data[12:16] == b"VP8X" and data[20] & 2 != 0


def check_silent(*command, about=""):
    """The program must succeed without a message that contains `about`. Returns its output."""
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    message = [line for line in process.stderr.decode(errors="replace").strip().splitlines() if about in line]
    if process.returncode != 0 or message:
        raise Invalid(f"{command[0]}: {message[0] if message else f'exit {process.returncode}'}")
    return process.stdout


def check_webp_frames(path, count):
    """Takes each frame out with webpmux and decodes it with dwebp."""
    frame = path.with_name(path.name + ".frame")
    try:
        for number in range(1, count + 1):
            check_with("webpmux", "-get", "frame", str(number), path, "-o", frame)
            check_with("dwebp", frame, "-o", os.devnull)
    finally:
        frame.unlink(missing_ok=True)


def check(path, form, share=8):
    """Raises `Invalid` unless all readers accept the file. Returns the number of frames if it is known, or else 1."""
    data = path.read_bytes()
    count, pillow = None, None
    if form == "png":
        count = check_png(data) or None
    elif form == "gif":
        count = check_gif(data)
    elif form == "webp" and is_animated_webp(data):
        count = sum(name == b"ANMF" for name, _ in animated_files.riff_chunks(data[12:]))
        expect(count > 0, "an animation without frames")
    # The choice depends on the bytes only, so that it is the same in each run.
    isChosen = zlib.crc32(data) % share == 0
    # Pillow 11 writes and reads AVIF, but no version reads JPEG XL.
    extensions = PIL.Image.registered_extensions() if PIL else {}
    # It reads no PAM.
    # Its PngImageFile.load_prepare adds the flag of interlaced rows again for each frame, so that it fails at the second.
    isInterlaced = form == "png" and count is not None and data[28] == 1
    if PIL and "." + FORMATS[form] in extensions and not data.startswith(b"P7") and not isInterlaced:
        pillow = check_with_pillow(path, form)
        # A default image that is not a frame of the animation is one more for Pillow.
        if count and form in ("gif", "webp", "png"):
            isEqual = pillow == count or form == "png" and pillow == count + 1
            expect(isEqual, f"Pillow: {pillow} frames instead of {count}")
    if form == "gif" and shutil.which("gifsicle"):
        # Without a change, gifsicle does not decode images. Messages that name no file are about its own result.
        check_silent("gifsicle", "--flip-vertical", path, "-o", os.devnull, about=str(path))
    # ffmpeg cannot blend samples of 16 bits.
    isBlendable = form == "gif" or form == "png" and data[24] <= 8
    if isBlendable and count and (isChosen or isInterlaced) and shutil.which("ffmpeg"):
        # With times of its own, because a conversion of those of the file may make two of them equal.
        lines = check_silent(
            "ffmpeg", "-v", "error", "-xerror", "-i", path, "-vsync", "0", "-enc_time_base", "-1",
            "-vf", "settb=1/25,setpts=N", "-f", "framecrc", "-").splitlines()
        decoded = sum(not line.startswith(b"#") for line in lines)
        expect(decoded == count, f"ffmpeg: {decoded} frames instead of {count}")
    if form == "jpeg" and shutil.which("djpeg"):
        # Some cameras write bytes after the pixels, which every reader skips. They are kept where pixels are copied.
        check_with("djpeg", "-outfile", os.devnull, path, tolerates="extraneous bytes before marker")
    elif form == "webp":
        if is_animated_webp(data):
            if shutil.which("webpmux"):
                check_with("webpmux", "-info", path)
                if isChosen and shutil.which("dwebp"):
                    check_webp_frames(path, count)
        elif shutil.which("dwebp"):
            check_with("dwebp", path, "-o", os.devnull)
    elif form == "avif" and shutil.which("avifdec"):
        # By default libavif reads at most 32,768 pixels of a side. AV1 has twice as many.
        check_with("avifdec", "--dimension-limit", "0", "--info", path)
    elif form == "jxl" and shutil.which("djxl"):
        check_with("djxl", path)
    elif form == "tiff" and shutil.which("tiffinfo"):
        check_with("tiffinfo", "-D", path)
    if form == "jxl" and shutil.which("jxlinfo"):
        information = subprocess.run(["jxlinfo", path], capture_output=True, check=False).stdout
        count = max(1, information.count(b"\nframe:"))
    return count or pillow or 1


# --- Making mutants


class PNGParts:
    """A file as its chunks."""

    def __init__(self, data):
        self.parts = [(name.encode("latin1"), body) for name, body in png_chunks(data)]

    def joined(self, parts):
        return SIGNATURE + b"".join(chunk(*part) for part in parts)

    def new(self, random):
        """A chunk that is valid in some files."""
        big = struct.pack
        number = random.choice((0, 1, 2, 3, 100_000, 45_455, 0x7FFFFFFF, 0xFFFFFFFF))
        made = {
            b"acTL": big(">II", random.choice((0, 1, 2, 9)), 0),
            b"fcTL": big(">IIIIIHHBB", random.choice((0, 1)), 5, 3, 0, 0, 1, 10, random.randrange(4), random.randrange(3)),
            b"fdAT": big(">I", random.randrange(4)) + zlib.compress(bytes(48)),
            b"cHRM": big(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, number),
            b"gAMA": big(">I", number),
            b"sRGB": bytes([random.randrange(6)]),
            b"iCCP": b"name\0\0" + zlib.compress(random.randbytes(200)),
            b"cICP": bytes([9, 16, random.randrange(2), random.randrange(3)]),
            b"pHYs": big(">IIB", number, 2835, random.randrange(3)),
            b"tEXt": b"Comment\0" + random.randbytes(8),
            b"zTXt": b"Comment\0\0" + zlib.compress(b"text")[: random.randrange(3, 13)],
            b"iTXt": b"Comment\0\0\0en\0Kommentar\0" + random.randbytes(8),
            b"eXIf": random.choice((b"MM\0*\0\0\0\x08\0\0", b"II*\0\x08\0\0\0\xff\xff", b"Exif")),
            b"tRNS": random.randbytes(random.choice((1, 2, 6, 300))),
            b"bKGD": random.randbytes(random.choice((1, 2, 6))),
            b"hIST": random.randbytes(random.choice((2, 32, 512))),
            b"sBIT": bytes([random.choice((0, 1, 8, 9, 16))]) * random.choice((1, 2, 3, 4)),
            b"PLTE": random.randbytes(random.choice((3, 48, 768, 771, 4))),
            b"tIME": random.randbytes(7),
        }
        return random.choice(sorted(made.items()))


class RIFFParts:
    """A WebP file as its chunks."""

    def __init__(self, data):
        self.parts, position = [], 12
        while position + 8 <= len(data):
            length = struct.unpack("<I", data[position + 4 : position + 8])[0]
            self.parts.append((data[position : position + 4], data[position + 8 : position + 8 + length]))
            position += 8 + length + length % 2

    def joined(self, parts):
        body = b"WEBP" + b"".join(
            name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2) for name, data in parts)
        return b"RIFF" + struct.pack("<I", len(body)) + body

    def new(self, random):
        return random.choice((
            (b"ICCP", random.randbytes(random.choice((3, 200)))), (b"EXIF", b"MM\0*\0\0\0\x08\0\0"),
            (b"EXIF", random.randbytes(9)), (b"XMP ", b"<x:xmpmeta/>"), (b"ALPH", random.randbytes(20)),
            (b"ANIM", bytes(random.choice((5, 6)))), (b"ANMF", bytes(40)),
            (b"VP8X", bytes([random.randrange(256), 0, 0, 0]) + bytes(6))))


class BlockParts:
    """A GIF as its extensions and images; the header and the colour table stay."""

    def __init__(self, data):
        position = 13 + (3 * (2 << (data[10] & 7)) if data[10] & 0x80 else 0)
        self.head, self.parts = data[:position], []
        while position + 10 < len(data) and data[position] in (0x21, 0x2C):
            end = position + 2
            if data[position] == 0x2C:
                fields = data[position + 9]
                end = position + 11 + (3 * (2 << (fields & 7)) if fields & 0x80 else 0)
            start = end
            blocks = b""
            while end < len(data) and data[end]:
                blocks += data[end + 1 : end + 1 + data[end]]
                end += 1 + data[end]
            self.parts.append((data[position:start], blocks))
            position = end + 1

    def joined(self, parts):
        blocks = b"".join(
            head + b"".join(bytes([len(data[at : at + 255])]) + data[at : at + 255] for at in range(0, len(data), 255))
            + b"\0" for head, data in parts)
        return self.head + blocks + b";"

    def new(self, random):
        return random.choice((
            (b"!\xf9", bytes([random.randrange(256), 5, 0, random.randrange(256)])), (b"!\xfe", b"comment"),
            (b"!\xff", b"NETSCAPE2.0"), (b"!\x01", random.randbytes(12)),
            (b"," + struct.pack("<HHHHB", random.randrange(9), random.randrange(9), random.randrange(9),
                                random.randrange(99), random.choice((0, 64))) + b"\2", random.randbytes(9))))


class BoxParts:
    """An AVIF, HEIC or JPEG XL file as its boxes."""

    def __init__(self, data):
        self.parts, position = [], 0
        while position + 8 <= len(data):
            length = struct.unpack(">I", data[position : position + 4])[0] or len(data) - position
            if length < 8:
                break
            self.parts.append((data[position + 4 : position + 8], data[position + 8 : position + length]))
            position += length

    def joined(self, parts):
        return b"".join(struct.pack(">I", len(data) + 8) + name + data for name, data in parts)

    def new(self, random):
        return random.choice((
            (b"Exif", bytes(4) + b"MM\0*\0\0\0\x08\0\0"), (b"Exif", random.randbytes(6)), (b"xml ", b"<x:xmpmeta/>"),
            (b"free", random.randbytes(8)), (b"brob", b"xml " + random.randbytes(8))))


class SegmentParts:
    """A JPEG as its segments; a scan's data belong to its header."""

    def __init__(self, data):
        self.parts, position = [], 2
        while position + 4 <= len(data) and data[position + 1] != 0xD9:
            end = position + 2 + int.from_bytes(data[position + 2 : position + 4], "big")
            body = data[position + 4 : end]
            if data[position + 1] == 0xDA:
                start = end
                while end + 1 < len(data) and (data[end] != 0xFF or data[end + 1] == 0 or 0xD0 <= data[end + 1] <= 0xD7):
                    end += 1
                self.parts.append((data[position + 1 : position + 2], (body, data[start:end])))
            else:
                self.parts.append((data[position + 1 : position + 2], body))
            position = end

    def joined(self, parts):
        result = b"\xff\xd8"
        for marker, body in parts:
            head, rest = body if isinstance(body, tuple) else (body, b"")
            result += b"\xff" + marker + struct.pack(">H", len(head[:65_533]) + 2) + head[:65_533] + rest
        return result + b"\xff\xd9"

    def new(self, random):
        return random.choice((
            (b"\xe0", b"JFIF\0\1\2\0" + random.randbytes(6)), (b"\xe1", b"Exif\0\0MM\0*\0\0\0\x08\0\0"),
            (b"\xe1", b"Exif\0\0" + random.randbytes(20)), (b"\xe1", b"http://ns.adobe.com/xap/1.0/\0<x/>"),
            (b"\xe2", b"ICC_PROFILE\0\1\1" + random.randbytes(140)), (b"\xe2", b"ICC_PROFILE\0\2\1" + bytes(3)),
            (b"\xed", b"Photoshop 3.0\x008BIM" + random.randbytes(20)), (b"\xee", b"Adobe\0d" + random.randbytes(3)),
            (b"\xfe", random.randbytes(12)), (b"\xdd", random.randbytes(2)), (b"\xe5", b"")))


class TagParts:
    """A TIFF as the tags of its first directory; other bytes stay."""

    def __init__(self, data):
        self.data = data
        self.order = "<" if data[:2] == b"II" else ">"
        self.at = struct.unpack(self.order + "I", data[4:8])[0]
        count = struct.unpack(self.order + "H", data[self.at : self.at + 2])[0]
        self.parts = [
            (data[at : at + 2], data[at + 2 : at + 12])
            for at in range(self.at + 2, self.at + 2 + 12 * count, 12) if at + 12 <= len(data)
        ]

    def joined(self, parts):
        # At the end, where it has room.
        tags = b"".join(name + (body + bytes(10))[:10] for name, body in parts)
        end = len(self.data) + len(self.data) % 2
        directory = struct.pack(self.order + "H", len(parts)) + tags + bytes(4)
        return self.data[:4] + struct.pack(self.order + "I", end) + self.data[8:].ljust(end - 8, b"\0") + directory

    def new(self, random):
        tag = random.choice((254, 258, 259, 262, 266, 274, 277, 282, 284, 292, 317, 320, 338, 339, 347, 530, 532, 34675))
        return (struct.pack(self.order + "H", tag),
                struct.pack(self.order + "HII", random.randrange(1, 13), random.choice((1, 2, 3, 999)), random.randrange(9)))


PARTS = {".png": PNGParts, ".webp": RIFFParts, ".avif": BoxParts, ".jxl": BoxParts, ".jpg": SegmentParts,
         ".tif": TagParts, ".gif": BlockParts, ".heic": BoxParts}


def changed_parts(data, kind, random):
    """The file with one part changed, and correct lengths and checksums."""
    file = kind(data)
    parts = file.parts
    if not parts:
        return data
    index = random.randrange(len(parts))
    name, body = parts[index]
    # Of a scan, the data.
    head, body = body if isinstance(body, tuple) else (None, body)

    def replaced(new):
        return parts[:index] + [(name, new if head is None else (head, new))] + parts[index + 1 :]

    way = random.randrange(8)
    if way == 0:
        return file.joined(parts[:index] + parts[index + 1 :])
    if way == 1:
        return file.joined(parts[:index] + [parts[index]] + parts[index:])
    if way == 2:
        other = random.randrange(len(parts))
        swapped = list(parts)
        swapped[index], swapped[other] = swapped[other], swapped[index]
        return file.joined(swapped)
    if way == 3:
        return file.joined(replaced(body[: random.randrange(len(body) + 1)]))
    if way == 4:
        return file.joined(replaced(body + random.randbytes(random.choice((1, 4, 100)))))
    if way in (5, 6) and body:
        changed = bytearray(body)
        for _ in range(random.choice((1, 1, 2, 5))):
            changed[random.randrange(len(changed))] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
        return file.joined(replaced(bytes(changed)))
    place = random.randrange(1, len(parts) + 1)
    return file.joined(parts[:place] + [file.new(random)] + parts[place:])


def mutant(name, data, random):
    extension = os.path.splitext(name)[1]
    if not name.startswith("animation-"):
        return damaged(data, extension, random)
    # Some changes have no effect on some files: a bare codestream of JPEG XL has no boxes, for example.
    for _ in range(9):
        change = animated_files.changed if random.random() < 0.5 else damaged
        result = change(data, extension, random)
        if result != data:
            break
    return result


def damaged(data, extension, random):
    way = random.randrange(10)
    if way == 0:
        return data[: random.randrange(len(data))]
    if way < 3 or extension not in PARTS:
        changed = bytearray(data)
        # Headers are at the beginning.
        end = random.choice((len(changed), min(len(changed), 200)))
        for _ in range(random.choice((1, 2, 8))):
            changed[random.randrange(end)] ^= 1 << random.randrange(8)
        return bytes(changed)
    for _ in range(random.choice((1, 1, 2, 3))):
        data = changed_parts(data, PARTS[extension], random)
    return data


# --- Running


Run = collections.namedtuple("Run", "code seconds lines error fault frames")


class Worker:
    """One `texel worker` that does one job after the other."""

    def __init__(self, texel, options):
        self.command = [texel, "worker", "--jobs", "1", *options]
        self.process = None

    def result(self, job, limit):
        """The code and the error of a job; the code is negative if the process was ended by a signal."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        line, end = b"", time.monotonic() + limit
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            while not line.endswith(b"\n"):
                if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                    self.stop()
                    return "timeout", ""
                piece = self.process.stdout.read(1 << 16)
                if not piece:
                    break
                line += piece
        except BrokenPipeError:
            line = b""
        if not line:
            code = self.process.wait()
            self.process = None
            return (code if code < 0 else "ended"), ""
        result = json.loads(line)
        return result["code"], result["error"] or ""

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def job(words, path, output):
    """The job of a worker that does the same as the words of a command line."""
    fields = {"command": words[0], "input": str(path), "output": str(output), "overwrite": True}
    index = 1
    while index < len(words):
        name = "format" if words[index] == "-f" else words[index][2:]
        head, *rest = name.split("-")
        name = head + "".join(word.capitalize() for word in rest)
        index += 1
        if index < len(words) and not words[index].startswith("-"):
            fields[name] = int(words[index]) if words[index].isdigit() else words[index]
            index += 1
        else:
            fields[name] = True
    return fields


def animated_words(form, own, random):
    """A command for an animation, with flags that are chosen."""
    words = ["compress", "--effort", random.choice(("fast", "fast", "fast", "balanced"))]
    lossy = form in ("webp", "avif", "jxl")
    if random.random() < 0.25:
        # With few files and much time per file, sizes stay small.
        words = ["resize", "--width", random.choice(("20", "20", "5", "9999"))]
    elif random.random() < 0.2:
        words = ["rotate", "--angle", random.choice(("90", "180", "7"))]
    elif form == own and random.random() < 0.4:
        words = ["compress"]
    words += ["-f", form]
    if random.random() < 0.45:
        words += random.choice((["--reverse"], ["--every", "2"], ["--frame", "2-"], ["--frame", "1"], ["--speed", "2"],
                                ["--boomerang"], ["--plays", "7"], ["--max-rate", "10"], ["--reverse", "--every", "2"],
                                ["--frame", "0-1,1"]))
    if lossy and random.random() < 0.3 and words[0] == "compress":
        words += ["--lossless"]
    if random.random() < 0.5:
        words += ["--metadata", random.choice(("all", "none"))]
    if random.random() < 0.6:
        words += ["--fail-on", random.choice(("none", "none", "none", "error", "warning"))]
    return words


class Trial:
    """Converts mutants in a folder, and counts."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.end = time.monotonic() + arguments.minutes * 60
        self.workers = threading.local()
        self.started = []

    def worker(self):
        if not hasattr(self.workers, "worker"):
            self.workers.worker = Worker(self.arguments.texel, self.arguments.options.split())
            self.started.append(self.workers.worker)
        return self.workers.worker

    def stop(self):
        for worker in self.started:
            worker.stop()

    def run(self, path, words, output, form, worker=None, refusable=False):
        """`refusable` means that the flags may not suit the input, which is an error of usage."""
        start = time.monotonic()
        command = [self.arguments.texel, *words, path, "-o", output, "--overwrite"]
        if worker:
            code, errors = worker.result(job(words, path, output), self.arguments.limit)
            lines = errors.splitlines()
        else:
            try:
                process = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                    timeout=self.arguments.limit, check=False)
                code, errors = process.returncode, process.stderr
            except subprocess.TimeoutExpired as error:
                code, errors = "timeout", error.stderr or b""
            lines = errors.decode(errors="replace").strip().splitlines()
        seconds = time.monotonic() - start
        fault, frames = None, 0
        # The library reports the crash of a decoder in a process of its own as an error of the file.
        isolated = [line for line in lines if "the decoding process" in line]
        if isinstance(code, str) or code < 0 or code == 64 and not refusable:
            fault = ("crash", f"exit {code}")
        elif isolated:
            fault = ("crash", isolated[0])
        elif code == 0:
            try:
                expect(output.exists(), "no output")
                frames = check(output, form, self.arguments.share)
            except Invalid as error:
                fault = ("invalid", str(error))
        elif output.exists():
            fault = ("invalid", f"exit {code}, but there is an output")
        elif len(lines) != 1 and not (code == 64 and lines):
            fault = ("lines", f"{len(lines)} lines on standard error: {lines[:2]}")
        if output.exists():
            output.unlink()
        others = sorted(other.name for other in path.parent.iterdir() if other != path)
        if others:
            fault = fault or ("leftover", f"files were left: {others[:3]}")
            for other in others:
                (path.parent / other).unlink()
        return Run(code, seconds, len(lines), lines[-1] if lines else "", fault, frames)

    def ways(self, name, path, random_source):
        """(format, words, whether the flags may not suit the input) of all runs of a mutant."""
        own = next((form for form, other in FORMATS.items() if "." + other == path.suffix), None)
        further = self.arguments.options.split()
        if name.startswith("animation-"):
            for form in ANIMATED:
                yield form, animated_words(form, own, random_source) + further, True
            return
        for form in FORMATS:
            # A flag without effect is an error: PPM stores no metadata, and has one way to encode.
            compress, none, every = ["compress"], [], []
            if form != "ppm":
                compress = ["compress", "--effort", "fast"]
                none, every = ["--metadata", "none"], ["--metadata", "all"]
            ways = [[*compress, "-f", form, *every]]
            if form == own:
                ways = [compress, ["resize", "--width", "9999"], ["rotate", "--angle", "90"], [*compress, *none],
                        [*compress, *every, "--fail-on", "none"]]
            for words in ways:
                yield form, words + further, False

    def trial(self, name, data, index):
        """All runs of one mutant; none after the time limit."""
        if time.monotonic() > self.end:
            return []
        random_source = random.Random(f"{self.arguments.seed} {name} {index}")
        stem, extension = os.path.splitext(name)
        # A folder of its own shows what a run leaves.
        folder = self.folder / f"{stem}-{self.arguments.seed}-{index}{extension}.run"
        folder.mkdir()
        path = folder / f"{stem}-{self.arguments.seed}-{index}{extension}"
        path.write_bytes(mutant(name, data, random_source))
        isAnimation = name.startswith("animation-")
        results = []
        for number, (form, words, refusable) in enumerate(self.ways(name, path, random_source)):
            output = folder / f"{path.name}-{number}-out.{FORMATS[form]}"
            worker = self.worker() if self.arguments.worker and isAnimation and (index + number) % 5 else None
            run = self.run(path, words, output, form, worker, refusable)
            if worker and run.fault:
                again = self.run(path, words, output, form, None, refusable)
                kind, reason = run.fault
                run = again if again.fault else run._replace(fault=(kind, f"{reason} (in the worker only)"))
            results.append((path.name, " ".join(words), form, run))
        failed = [(words, form, run) for _, words, form, run in results if run.fault]
        if self.arguments.keep and failed:
            os.makedirs(self.arguments.keep, exist_ok=True)
            shutil.copy(path, self.arguments.keep)
            with open(os.path.join(self.arguments.keep, "commands.txt"), "a", encoding="utf-8") as file:
                for words, form, run in failed:
                    output = f"out.{FORMATS[form]}"
                    file.write(f"{run.fault[0]}: {run.fault[1]}\n    {self.arguments.texel} {words} "
                               f"{shlex.quote(path.name)} -o {output} --overwrite\n")
        path.unlink()
        folder.rmdir()
        return results


def inputs(arguments, folder):
    """Names and bytes of the files that are damaged."""
    animations = animated_files.animated_inputs(arguments.texel, PIL.Image if PIL else None)
    if arguments.animations:
        return animations
    files = {}
    for chosen in arguments.folder or ["TestImages"]:
        for path in sorted(pathlib.Path(chosen).iterdir()):
            if path.suffix[1:] in READABLE and path.stat().st_size <= arguments.bytes:
                files[path.name] = path.read_bytes()
    chosen = [name for name in ("metadata.jpg", "wide-gamut-profile.png", "size-65x33.jpg",
                                "glass-palette-alpha.png") if name in files] or sorted(files)[:3]
    for name in chosen:
        path = folder / name
        path.write_bytes(files[name])
        for form, extension in FORMATS.items():
            output = folder / f"{path.stem}-as.{extension}"
            subprocess.run(
                [arguments.texel, "compress", path, "-f", form, "--metadata", "all", "-o", output],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if output.exists():
                files[output.name] = output.read_bytes()
                output.unlink()
        path.unlink()
    return files | animations


def print_formats(results):
    """Prints how many results each pair of formats has, and how many of them are not valid."""
    counts = collections.defaultdict(lambda: [0, 0])
    for name, _, form, run in results:
        count = counts[pathlib.Path(name).suffix[1:], form]
        count[0] += run.code == 0
        count[1] += run.fault is not None and run.fault[0] == "invalid"
    print("| input | " + " | ".join(FORMATS) + " |")
    print("|---|" + "--:|" * len(FORMATS))
    for extension in sorted({extension for extension, _ in counts}):
        cells = [counts[extension, form] for form in FORMATS]
        print(f"| {extension} | " + " | ".join(
            f"{valid}" + (f" ({invalid} invalid)" if invalid else "") for valid, invalid in cells) + " |")


def print_animations(results):
    """Prints for each format of animations the mutants, and how many of the results are animations themselves."""
    counts = collections.defaultdict(collections.Counter)
    names = collections.defaultdict(set)
    for name, _, form, run in results:
        if not name.startswith("animation-"):
            continue
        extension = pathlib.Path(name).suffix[1:]
        names[extension].add(name)
        counts[extension]["runs"] += 1
        counts[extension]["usage"] += run.code == 64
        counts[extension]["results"] += run.code == 0
        counts[extension]["animated"] += run.frames > 1
        counts[extension]["faults"] += run.fault is not None
    if not counts:
        return
    print("| animations | mutants | runs | flags refused | results | results of several frames | failed |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for extension, count in sorted(counts.items()):
        print("|", extension, "|", len(names[extension]), "|", " | ".join(
            str(count[key]) for key in ("runs", "usage", "results", "animated", "faults")), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texel", help="the program")
    parser.add_argument("--folder", action="append", help="a folder with images; may be repeated (default: TestImages)")
    parser.add_argument("--bytes", type=int, default=60_000, help="larger files are not used (default: 60,000)")
    parser.add_argument("--count", type=int, default=4, help="the mutants of each file (default: 4)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant (default: 0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=24 * 60, help="no mutant is begun later")
    parser.add_argument("--limit", type=float, default=60, help="no run may take more seconds (default: 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="the runs at a time")
    parser.add_argument("--options", default="", help="further options of each run, such as --no-isolate")
    parser.add_argument("--files", default="", help="only inputs whose names contain this")
    parser.add_argument("--animations", action="store_true", help="only animations")
    parser.add_argument("--worker", action="store_true", help="convert most animations in a worker, which is faster")
    parser.add_argument("--share", type=int, default=8, help="ffmpeg and dwebp read 1 of SHARE animations (default: 8)")
    parser.add_argument("--keep", help="a folder for the mutants of failed runs, and their commands")
    arguments = parser.parse_args()
    readers = [name for name in ("djpeg", "dwebp", "webpmux", "gifsicle", "avifdec", "djxl", "jxlinfo", "tiffinfo",
                                 "ffmpeg") if shutil.which(name)]
    print("readers: chunk walk,", ", ".join(([f"Pillow {PIL.__version__}"] if PIL else []) + readers))
    results, faults = [], collections.Counter()
    with tempfile.TemporaryDirectory(prefix="texel-mutants-") as folder:
        folder = pathlib.Path(folder)
        files = {name: data for name, data in inputs(arguments, folder).items() if arguments.files in name}
        trial = Trial(arguments, folder)
        tasks = [(name, data, arguments.first + index) for index in range(arguments.count)
                 for name, data in files.items()]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for runs in pool.map(lambda task: trial.trial(*task), tasks):
                for name, words, form, run in runs:
                    results.append((name, words, form, run))
                    if run.fault:
                        faults[run.fault[0]] += 1
                        print(f"FAILED  {name}, {words} to {form}: {run.fault[1]}", flush=True)
        trial.stop()
    if not results:
        sys.exit("no runs")
    slowest = max(results, key=lambda result: result[3].seconds)
    failed = [run for *_, run in results if run.code != 0]
    print_formats(results)
    print_animations(results)
    if unread:
        print(f"left to tiffinfo, because Pillow has no mode for the samples: {len(unread)} results")
    print("| files | mutants | runs | refused | crashes | invalid outputs | files left "
          "| refusals of several lines | most lines | lines on standard error | slowest |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    print("|", " | ".join(str(value) for value in (
        len(files), len({name for name, *_ in results}), len(results), len(failed), faults["crash"], faults["invalid"],
        faults["leftover"], faults["lines"],
        max((run.lines for run in failed), default=0), sum(run.lines for *_, run in results),
        f"{slowest[3].seconds:.1f} s ({slowest[0]}, {slowest[1]})")), "|")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
