#!/usr/bin/env python3
"""Makes decompression bombs, small files that ask for much time or memory, and processes them: `make test-bombs`.

Each file goes through several commands, with and without isolation. A run must end with an exit code of the program's
own, within MEGABYTES, and within TIMES the processor time that zlib takes on the same machine to inflate the rows of the
largest image that is allowed; a run that writes a JPEG may take 1.25 times what a sound image of that size takes whose
pixels are noise, if that is more. The slowest runs are listed in any case. Whether a file is refused or processed is
not judged here: the tests do that.
"""

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The largest side of a square image within the default limits.
SIDE = 16_383


def chunk(name, data=b""):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width, height, depth=8, color=2, interlaced=False):
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))


def deflated(count, piece=bytes(1 << 20)):
    """The zlib stream of `piece`, again and again, up to `count` bytes."""
    stream = zlib.compressobj(6)
    parts = [stream.compress(piece) for _ in range(count // len(piece))]
    return b"".join(parts) + stream.compress(piece[: count % len(piece)]) + stream.flush()


def row_bytes(width, height, bits, interlaced):
    """The bytes of all rows, with those of their filters: of the image, or of the passes of Adam7."""
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    return sum(
        ((width - x + step_x - 1) // step_x * bits + 7) // 8 * rows + rows
        for x, y, step_x, step_y in (passes if interlaced else ((0, 0, 1, 1),))
        if (rows := (height - y + step_y - 1) // step_y))


def pngs():
    """Names and bytes of PNGs."""
    end = chunk(b"IEND")
    small = header(64, 64)
    pixels = chunk(b"IDAT", deflated((64 * 3 + 1) * 64)) + end
    side = SIDE
    for color, depth, channels in ((0, 1, 1), (0, 8, 1), (2, 8, 3), (3, 8, 1), (4, 8, 2), (6, 8, 4)):
        extra = chunk(b"PLTE", bytes(range(256)) * 3) if color == 3 else b""
        for interlaced in (False, True):
            count = row_bytes(side, side, channels * depth, interlaced)
            name = f"color-{color}-{depth}-bit" + ("-interlaced" if interlaced else "")
            yield name, header(side, side, depth, color, interlaced) + extra + chunk(b"IDAT", deflated(count)) + end
    for color, name in ((0, "gray"), (6, "rgba")):
        yield f"{name}-tall", header(1, 65_535, 8, color) + chunk(b"IDAT", deflated(65_535 * 5)) + end
        yield f"{name}-wide", header(65_535, 4095, 1 if color == 0 else 8, color) + chunk(
            b"IDAT", deflated(65_535 * (1 if color == 0 else 4) * 4096)) + end
    # Filters make of a few bytes pixels that are hard to compress.
    for filter_type, name in ((3, "average"), (4, "paeth")):
        row = bytes([filter_type]) + bytes(i * 7 & 255 for i in range(64)) * (side * 4 // 64 + 1)
        stream = deflated((side * 4 + 1) * side, row[: side * 4 + 1])
        yield f"{name}-filters", header(side, side, 8, 6) + chunk(b"IDAT", stream) + end
    # libpng decodes it again, to say what is wrong.
    yield "interlaced-excess", header(side, side, 8, 2, True) + chunk(
        b"IDAT", deflated(row_bytes(side, side, 24, True) + 1)) + end
    yield "excess", small + chunk(b"IDAT", deflated(3_000_000_000)) + end
    yield "empty-pixels", small + chunk(b"IDAT") * 1_000_000 + pixels
    yield "million-chunks", small + chunk(b"teXt") * 1_000_000 + pixels
    yield "profiles", small + chunk(b"iCCP", b"x\0\0" + deflated(3_000_000)) * 1000 + pixels
    yield "texts", small + chunk(b"zTXt", b"x\0\0" + deflated(3_000_000)) * 1000 + pixels
    yield "xmp", small + chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + deflated(500_000_000)) + pixels
    frames = b"".join(chunk(b"fcTL", struct.pack(">5I2H2B", n, 64, 64, 0, 0, 1, 9, 0, 0)) for n in range(190_000))
    yield "frames", small + chunk(b"acTL", struct.pack(">II", 190_000, 0)) + frames + pixels
    yield "trailing", small + pixels + bytes(50_000_000)


def segments(file):
    """A JPEG's segments, scans with their data."""
    position = 2
    while file[position + 1] != 0xD9:
        end = position + 2 + int.from_bytes(file[position + 2 : position + 4], "big")
        if file[position + 1] == 0xDA:
            while file[end] != 0xFF or file[end + 1] == 0 or 0xD0 <= file[end + 1] <= 0xD7:
                end += 1
        yield file[position:end]
        position = end


def jpegs(plain, progressive, large):
    """Names and bytes of JPEGs.

    `plain` and `progressive` are small ones, `large` are progressive ones of several sizes, by their names.
    """
    for name, file in (("plain", plain), ("progressive", progressive)):
        for width, height in ((65_500, 65_500), (16_383, 16_383), (65_500, 4090), (1, 65_500)):
            parts = [
                part[:5] + struct.pack(">HH", height, width) + part[9:] if part[1] in (0xC0, 0xC2) else part
                for part in segments(file)
            ]
            yield f"{name}-{width}x{height}", b"\xff\xd8" + b"".join(parts) + b"\xff\xd9"
    for name, file in large.items():
        yield f"{name}-scans-0", file
        scans = [part for part in segments(file) if part[1] == 0xDA]
        # The last one, for a refinement of all of luma, and the last of all components.
        for index, scan in enumerate((scans[-1], [scan for scan in scans if scan[4] > 1][-1])):
            yield f"{name}-scans-{index + 1}", file[:-2] + scan * 1000 + b"\xff\xd9"

    def behind_start(data):
        return plain[:2] + data + plain[2:]

    def segment(marker, data):
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

    yield "fill-bytes", behind_start(b"\xff" * 100_000_000)
    yield "million-segments", behind_start(segment(0xE5, b"") * 1_000_000)
    yield "million-comments", behind_start(segment(0xFE, b"a") * 1_000_000)
    yield "many-exif", behind_start(segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\0") * 100_000)
    yield "deep-xmp", behind_start(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + b"<a>" * 21_000))
    profile = b"".join(segment(0xE2, b"ICC_PROFILE\0" + bytes([n, 255]) + bytes(65_500)) for n in range(1, 256))
    yield "profile", behind_start(profile * 3)
    extended = b"http://ns.adobe.com/xmp/extension/\0" + b"A" * 32 + struct.pack(">II", 0xFFFFFFFF, 0) + b"<x/>"
    yield "extended-xmp", behind_start(segment(0xE1, extended) * 1000)
    for marker, name in ((0xC4, "huffman-tables"), (0xDB, "quantisation-tables")):
        yield name, behind_start(next(part for part in segments(plain) if part[1] == marker) * 200_000)
    yield "restarts", plain[:-2] + b"\xff\xd0\xff\xd1" * 5_000_000 + b"\xff\xd9"
    yield "starts", b"\xff\xd8" * 20_000_000


def bombs(texel, folder, pattern):
    """Writes those whose names match; their paths."""
    picture = folder / "picture.png"

    def encoded(width, height, *options):
        stream = deflated((width * 3 + 1) * height, b"\0" + bytes((90, 120, 30)) * width)
        picture.write_bytes(header(width, height) + chunk(b"IDAT", stream) + chunk(b"IEND"))
        result = folder / "picture.jpg"
        subprocess.run(
            [texel, "compress", "--format", "jpeg", "--effort", "fast", *options, picture, "-o", result, "--overwrite"],
            stdout=subprocess.DEVNULL, check=True)
        return result.read_bytes()

    sizes = {"4-megapixels": (2048, 2048), "16-megapixels": (4096, 4096), "64-megapixels": (8192, 8192),
             "256-megapixels": (16_000, 16_000)}
    progressive = {name: encoded(*size, "--progressive") for name, size in sizes.items()}
    plain = encoded(256, 256), encoded(256, 256, "--progressive")
    for extension, files in (("png", pngs()), ("jpg", jpegs(*plain, progressive))):
        for name, data in files:
            if not re.search(pattern, f"{name}.{extension}"):
                continue
            path = folder / f"{name}.{extension}"
            path.write_bytes(data)
            yield path


def yardstick():
    """The processor seconds that zlib takes to inflate the rows of 16,383 × 16,383 pixels of four bytes."""
    stream = deflated((SIDE * 4 + 1) * SIDE)
    times = []
    for _ in range(3):
        start, inflater, rest = time.process_time(), zlib.decompressobj(), stream
        while rest:
            inflater.decompress(rest, 1 << 20)
            rest = inflater.unconsumed_tail
        times.append(time.process_time() - start)
    return sorted(times)[1]


def noise():
    """The parts of a sound PNG of SIDE × SIDE pixels, whose pixels are as hard to compress as any."""
    rows = os.urandom(SIDE * 4 * 64)
    stream = zlib.compressobj(0)
    yield header(SIDE, SIDE, 8, 6)
    for row in range(SIDE):
        start = row % 64 * SIDE * 4
        yield chunk(b"IDAT", stream.compress(b"\0" + rows[start : start + SIDE * 4]))
    yield chunk(b"IDAT", stream.flush()) + chunk(b"IEND")


def seconds_of_sound_image(texel, folder):
    """The processor seconds that the program takes to write a sound image of noise as a JPEG."""
    path = folder / "noise.png"
    with open(path, "wb") as file:
        file.writelines(noise())
    code, seconds, _, error = run(
        [texel, "compress", "--format", "jpeg", "--limit-input", "2GB", path, "-o", folder / "out", "--overwrite"])
    path.unlink()
    if code:
        raise SystemExit(f"the sound image: exit {code}  {error}")
    return seconds


def run(command):
    """Exit code, processor seconds, megabytes at most, and the last line of errors."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    lines = process.stderr.read().decode(errors="replace").strip().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    return process.returncode, seconds, usage.ru_maxrss / 1024, lines[-1] if lines else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texel", help="the program")
    parser.add_argument("--times", type=float, default=10,
                        help="no run may take longer than zlib so many times (default: 10)")
    parser.add_argument("--files", default="", help="only files whose names match this regular expression")
    parser.add_argument("--megabytes", type=float, default=2400, help="no process may take more (default: 2400)")
    arguments = parser.parse_args()
    results, failures = [], 0
    limit = arguments.times * yardstick()
    with tempfile.TemporaryDirectory(prefix="texel-bombs-") as folder:
        folder = pathlib.Path(folder)
        jpeg_limit = max(limit, 1.25 * seconds_of_sound_image(arguments.texel, folder))
        print(f"limit of processor time: {limit:.1f} s, for JPEGs {jpeg_limit:.1f} s")
        commands = {
            "info": ["info"],
            "compress": ["compress"],
            "compress to JPEG": ["compress", "--format", "jpeg"],
            "compress to PNG": ["compress", "--format", "png"],
            "whatever is left": ["compress", "--fail-on", "none"],
            "resize": ["resize", "--width", "300"],
            "resize, isolated": ["resize", "--width", "300", "--isolate"],
            "to JPEG, isolated": ["compress", "--format", "jpeg", "--isolate"],
        }
        for file in bombs(arguments.texel, folder, arguments.files):
            for name, words in commands.items():
                output = ["-o", folder / "out", "--overwrite"] if name != "info" else []
                code, seconds, megabytes, error = run([arguments.texel, *words, file, *output])
                results.append((seconds, megabytes, file.name, name, code))
                # 64 and less than 0: the script's own fault, and a signal.
                slow = seconds > (jpeg_limit if "JPEG" in name else limit)
                wrong = code < 0 or code == 64 or slow or megabytes > arguments.megabytes
                if wrong:
                    failures += 1
                    print(f"FAILED  {file.name}, {name}: exit {code}, {seconds:.1f} s, {megabytes:.0f} MB  {error}")
            file.unlink()
    print(f"{len({name for _, _, name, _, _ in results})} files, {len(results)} runs, {failures} failed")
    print(f"at most {max(megabytes for _, megabytes, *_ in results):.0f} MB; the slowest:")
    for seconds, megabytes, file, name, code in sorted(results, reverse=True)[:12]:
        print(f"{seconds:6.1f} s  {megabytes:6.0f} MB  {file}, {name}" + (f", exit {code}" if code else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
