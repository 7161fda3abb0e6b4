"""The jobs: the work, the programs that do it, and the targets for Texel relative to them."""

import os
import shlex
from collections.abc import Callable
from pathlib import Path

from . import frames
from .clips import FRAME_COUNT, H264_FRAME_COUNT
from .kitchen import BEST_PEER, Job, Kitchen, Target
from .measuring import Entry
from .pictures import FOLDER_COUNT, Pictures
from .tools import DECODE_TIMER, OPERATION_TIMER, RESIZE_TIMER

# Peers use the settings that are fastest without loss of quality, above all scaled decoding. Where an image has an
# orientation, all apply it.


def in_memory(alpha: str) -> Callable[[Kitchen], list[Entry]]:
    def entries(kitchen: Kitchen) -> list[Entry]:
        sizes = ("4928x3279", "852x567")
        result = [Entry("Texel", [str(RESIZE_TIMER), *sizes, alpha, "9"], prints_times=True)]
        libraries = [
            ("fast_image_resize", "fast_image_resize", "9"),
            ("pyvips", "pyvips", "5"),
            ("Pillow", "pillow", "3"),
        ]
        if alpha == "opaque":
            libraries.append(("OpenCV", "opencv", "5"))
        for name, key, count in libraries:
            shown = "OpenCV INTER_AREA" if name == "OpenCV" else name
            result += kitchen.script(shown, name, "in_memory.py", key, alpha, *sizes, count, timer=True)
        return result

    return entries


def decoding(picture: Callable[[Pictures], Path]) -> Callable[[Kitchen], list[Entry]]:
    def entries(kitchen: Kitchen) -> list[Entry]:
        file = picture(kitchen.pictures)
        result = [
            Entry(
                "Texel" if threads == 1 else f"Texel, {threads} threads",
                [str(DECODE_TIMER), str(file), str(threads), "9"],
                prints_times=True,
            )
            for threads in (1, os.cpu_count() or 1)
        ]
        for entry in kitchen.peer(
            "libjpeg-turbo (tjbench)",
            ("tjbench",),
            f"{{tjbench}} {shlex.quote(str(file))} -bgrx -nowrite -benchtime 1 -warmup 0.2 | "
            "awk '/Frame rate/ {{print 1000 / $5}}'",
        ):
            result.append(Entry(entry.name, entry.command, prints_times=True))
        for library, key in (("OpenCV", "opencv"), ("Pillow", "pillow"), ("pyvips", "pyvips")):
            result += kitchen.script(library, library, "decoding.py", key, str(file), "5", timer=True)
        return result

    return entries


def operation(name: str) -> Callable[[Kitchen], list[Entry]]:
    """An operation of operations.py and OperationTimer."""

    def entries(kitchen: Kitchen) -> list[Entry]:
        result = [Entry("Texel", [str(OPERATION_TIMER), name, "7"], prints_times=True)]
        for library, key in (("OpenCV", "opencv"), ("Pillow", "pillow"), ("pyvips", "pyvips")):
            result += kitchen.script(library, library, "operations.py", key, name, "3", timer=True)
        return result

    return entries


def watermark(kitchen: Kitchen) -> list[Entry]:
    source, logo = kitchen.pictures.photograph, kitchen.pictures.watermark
    file, mark = shlex.quote(str(source)), shlex.quote(str(logo))
    size, placed = ("--width", "1280", "-q", "80"), ("--overlay", str(logo), "--overlay-gravity", "southeast")
    return [
        kitchen.texel("Texel", "resize", source, "texel.jpg", *size, "--sharpen", "0.5", *placed),
        *kitchen.script("pyvips", "pyvips", "watermark.py", str(source), str(logo), str(kitchen.output / "vips.jpg")),
        *kitchen.peer(
            "ImageMagick",
            ("ImageMagick",),
            f"{{ImageMagick}} -define jpeg:size=1280x1280 {file} -auto-orient -resize 1280x -unsharp 0x1+0.5 {mark} "
            "-gravity southeast -composite -quality 80 {out}",
            "im.jpg",
        ),
    ]


def thumbnail(side: int, hint: int, picture: Callable[[Pictures], Path]) -> Callable[[Kitchen], list[Entry]]:
    """`hint` is the minimum size of scaled decoding, for the two programs that do not choose it themselves."""

    def entries(kitchen: Kitchen) -> list[Entry]:
        source = picture(kitchen.pictures)
        file, box, least = shlex.quote(str(source)), f"{side}x{side}", f"{hint}x{hint}"
        size = ("--width", str(side), "--height", str(side), "-q", "80", "--effort")
        denominator = 8 if side < 500 else 2
        return [
            kitchen.texel("Texel", "resize", source, "texel.jpg", *size, "fast"),
            kitchen.texel("Texel --effort balanced", "resize", source, "balanced.jpg", *size, "balanced"),
            *kitchen.peer(
                "vipsthumbnail",
                ("vipsthumbnail",),
                f"{{vipsthumbnail}} {file} --size {box} -o {{out}}[Q=80]",
                "vips.jpg",
            ),
            *kitchen.peer(
                "GraphicsMagick",
                ("GraphicsMagick",),
                f"{{GraphicsMagick}} convert -size {least} {file} -auto-orient -thumbnail {box} -quality 80 {{out}}",
                "gm.jpg",
            ),
            *kitchen.peer(
                "ImageMagick",
                ("ImageMagick",),
                f"{{ImageMagick}} -define jpeg:size={least} {file} -auto-orient -thumbnail {box} -quality 80 {{out}}",
                "im.jpg",
            ),
            *kitchen.peer(
                f"djpeg -scale 1/{denominator} (decoding alone)",
                ("djpeg",),
                f"{{djpeg}} -scale 1/{denominator} -outfile /dev/null {file}",
            ),
        ]

    return entries


def thumbnail_of(suffix: str, side: int, result: str) -> Callable[[Kitchen], list[Entry]]:
    """A thumbnail of a 12-megapixel image in another format than JPEG."""

    def entries(kitchen: Kitchen) -> list[Entry]:
        source = kitchen.pictures.converted(suffix)
        if source is None:
            return []
        # libvips writes WebP with the effort that Texel calls balanced.
        effort = "balanced" if result == "webp" else "fast"
        flags = ("--width", str(side), "-q", "80", "--effort", effort)
        return [
            kitchen.texel("Texel", "resize", source, f"texel.{result}", *flags),
            *kitchen.peer(
                "vipsthumbnail",
                ("vipsthumbnail",),
                f"{{vipsthumbnail}} {shlex.quote(str(source))} --size {side}x -o {{out}}[Q=80]",
                f"vips.{result}",
            ),
        ]

    return entries


def recompression(kitchen: Kitchen) -> list[Entry]:
    # vips, djpeg and cjpeg do not apply the orientation, so no program does.
    source = kitchen.pictures.photograph
    file, flags = shlex.quote(str(source)), ("-q", "80", "--no-auto-orient", "--effort")
    return [
        kitchen.texel("Texel", "compress", source, "texel.jpg", *flags, "fast"),
        kitchen.texel("Texel --effort balanced", "compress", source, "balanced.jpg", *flags, "balanced"),
        *kitchen.peer("vips copy", ("vips",), f"{{vips}} copy {file} {{out}}[Q=80]", "vips.jpg"),
        *kitchen.peer(
            "djpeg | cjpeg",
            ("djpeg", "cjpeg"),
            f"{{djpeg}} {file} | {{cjpeg}} -quality 80 -outfile {{out}}",
            "cjpeg.jpg",
        ),
        *kitchen.peer(
            "GraphicsMagick", ("GraphicsMagick",), f"{{GraphicsMagick}} convert {file} -quality 80 {{out}}", "gm.jpg"
        ),
        *kitchen.peer("ImageMagick", ("ImageMagick",), f"{{ImageMagick}} {file} -quality 80 {{out}}", "im.jpg"),
    ]


def folder(kitchen: Kitchen) -> list[Entry]:
    photographs = kitchen.pictures.folder(FOLDER_COUNT)
    threads = os.cpu_count() or 1
    quoted, size = (
        shlex.quote(str(photographs)),
        ("--width", "1280", "--height", "1280", "-q", "80", "--effort", "fast"),
    )

    def room(name: str) -> Path:
        target = kitchen.output / name
        target.mkdir(exist_ok=True)
        return target

    entries = [kitchen.texel("Texel", "resize", photographs, "texel", "-r", *size)]
    for name, key in (("OpenCV", "opencv"), ("pyvips", "pyvips")):
        for entry in kitchen.script(
            f"{name}, {threads} threads", name, "whole_folder.py", key, str(photographs), str(room(key))
        ):
            entries.append(Entry(entry.name, entry.command, room(key)))
    share = -(-len(list(photographs.iterdir())) // threads)
    entries += kitchen.peer(
        f"vipsthumbnail × {threads}",
        ("vipsthumbnail",),
        f"ls {quoted}/*.jpg | xargs -P{threads} -n{share} sh -c "
        f"'exec {{vipsthumbnail}} \"$@\" --size 1280x1280 -o {room('vips')}/%s.jpg[Q=80]' vips",
        "vips",
    )
    entries += kitchen.peer(
        f"djpeg -scale 1/2 × {threads} (decoding alone)",
        ("djpeg",),
        f"ls {quoted}/*.jpg | xargs -P{threads} -n1 {{djpeg}} -scale 1/2 -outfile /dev/null",
    )
    return entries


def huge_png(kitchen: Kitchen) -> list[Entry]:
    source = kitchen.pictures.hundred_megapixel_png
    file = shlex.quote(str(source))
    return [
        kitchen.texel("Texel", "resize", source, "texel.png", "--width", "1000", "--effort", "fast"),
        *kitchen.peer(
            "vipsthumbnail", ("vipsthumbnail",), f"{{vipsthumbnail}} {file} --size 1000x1000 -o {{out}}", "vips.png"
        ),
        *kitchen.peer(
            "GraphicsMagick",
            ("GraphicsMagick",),
            f"{{GraphicsMagick}} convert {file} -resize 1000x1000 {{out}}",
            "gm.png",
        ),
    ]


def half_png(kitchen: Kitchen) -> list[Entry]:
    source = kitchen.pictures.sixteen_megapixel_png
    file = shlex.quote(str(source))
    return [
        kitchen.texel("Texel", "resize", source, "texel.png", "--scale", "50%", "--effort", "fast"),
        kitchen.texel(
            "Texel --effort balanced", "resize", source, "balanced.png", "--scale", "50%", "--effort", "balanced"
        ),
        *kitchen.peer("vips resize", ("vips",), f"{{vips}} resize {file} {{out}} 0.5", "vips.png"),
        *kitchen.peer(
            "GraphicsMagick", ("GraphicsMagick",), f"{{GraphicsMagick}} convert {file} -resize 50% {{out}}", "gm.png"
        ),
        *kitchen.peer("ImageMagick", ("ImageMagick",), f"{{ImageMagick}} {file} -resize 50% {{out}}", "im.png"),
    ]


def pixels(
    verb: str,
    *flags: str,
    suffix: str = "jpg",
    effort: str = "fast",
    counts: tuple[int, ...] = (1, 4, 16, 64, 256),
) -> Callable[[Kitchen], list[Entry]]:
    def entries(kitchen: Kitchen) -> list[Entry]:
        return [
            kitchen.texel(
                f"Texel, {count} MP",
                verb,
                kitchen.pictures.tiled(count, suffix),
                f"{count}.{suffix}",
                *flags,
                "--effort",
                effort,
                work=count,
            )
            for count in counts
        ]

    return entries


def files(kitchen: Kitchen) -> list[Entry]:
    flags = ("-r", "--width", "1280", "--height", "1280", "-q", "80", "--effort", "fast")
    entries = []
    for jobs in (1, os.cpu_count() or 1):
        for count in (4, 8, 16, 32):
            name = f"Texel -j {jobs}, {count} files"
            source = kitchen.pictures.folder(count)
            entries.append(
                kitchen.texel(name, "resize", source, f"{jobs}-{count}", *flags, "-j", str(jobs), work=count)
            )
    return entries


JOBS = [
    Job(
        "resize-opaque",
        "In memory: Lanczos-3, 4928×3279 BGRA → 852×567, one thread",
        in_memory("opaque"),
        (Target("fast_image_resize", 0.65),),
        rounds=5,
        in_memory=True,
    ),
    Job(
        "resize-alpha",
        "The same with alpha, premultiplied on the way",
        in_memory("straight"),
        (Target("fast_image_resize", 0.65),),
        rounds=5,
        in_memory=True,
    ),
    Job(
        "decode",
        "In memory: 12 MP JPEG → BGRA, one thread",
        decoding(lambda pictures: pictures.photograph),
        (Target("libjpeg-turbo (tjbench)", 0.75),),
        rounds=5,
        in_memory=True,
    ),
    Job(
        "decode-progressive",
        "In memory: 22 MP progressive JPEG → BGRA, one thread",
        decoding(lambda pictures: pictures.progressive),
        (Target("libjpeg-turbo (tjbench)", 0.60),),
        rounds=5,
        in_memory=True,
    ),
    *(
        Job(
            f"operation-{name}",
            f"In memory, 12 MP, one thread: {title}",
            operation(name),
            (Target(BEST_PEER, ratio),),
            rounds=5,
            in_memory=True,
        )
        for name, title, ratio in (
            ("blur-2", "Gaussian blur, sigma 2", 0.8),
            ("blur-20", "Gaussian blur, sigma 20", 0.8),
            ("sharpen", "unsharp mask, sigma 2", 0.8),
            ("colours", "colour matrix, curve and saturation", 0.5),
            ("overlay", "an overlay with alpha of 12 MP", 0.6),
        )
    ),
    Job(
        "watermark",
        "12 MP JPEG → 1280 pixels, sharpened, with a watermark, JPEG quality 80",
        watermark,
        (Target("pyvips", 0.50),),
    ),
    Job(
        "thumbnail",
        "12 MP JPEG → 1280 pixels, JPEG quality 80",
        thumbnail(1280, 1500, lambda pictures: pictures.photograph),
        (Target("vipsthumbnail", 0.40), Target("djpeg -scale 1/2 (decoding alone)", 1.35)),
        peak_megabytes=30,
    ),
    Job(
        "thumbnail-avif",
        "12 MP AVIF → 1280 pixels, JPEG quality 80",
        thumbnail_of("avif", 1280, "jpg"),
        (Target("vipsthumbnail", 0.60),),
        peak_megabytes=45,
    ),
    Job(
        "thumbnail-webp",
        "12 MP WebP → 510 pixels, WebP quality 80",
        thumbnail_of("webp", 510, "webp"),
        (Target("vipsthumbnail", 0.75),),
    ),
    Job(
        "thumbnail-heic",
        "12 MP HEIC → 1280 pixels, JPEG quality 80",
        thumbnail_of("heic", 1280, "jpg"),
        (Target("vipsthumbnail", 0.70),),
    ),
    Job(
        "thumbnail-jxl",
        "12 MP JPEG XL → 1280 pixels, JPEG quality 80",
        thumbnail_of("jxl", 1280, "jpg"),
        (Target("vipsthumbnail", 1.00),),
    ),
    Job("recompress", "12 MP JPEG → JPEG quality 80, same size", recompression, (Target("vips copy", 0.55),)),
    Job(
        "progressive",
        "22 MP progressive JPEG → 256 pixels",
        thumbnail(256, 512, lambda pictures: pictures.progressive),
        (Target("vipsthumbnail", 0.35),),
        peak_megabytes=110,
        rounds=9,
    ),
    Job(
        "folder",
        f"A folder of {FOLDER_COUNT} camera photographs → 1280 pixels, JPEG quality 80, one command",
        folder,
        (Target(BEST_PEER, 0.90), Target(f"djpeg -scale 1/2 × {os.cpu_count()} (decoding alone)", 1.20)),
        rounds=5,
    ),
    Job("huge-png", "10,000×10,000 PNG → 1000 pixels", huge_png, (), peak_megabytes=60, rounds=3),
    Job("half-png", "16 MP PNG → PNG, half size", half_png, (Target("vips resize", 0.60),), rounds=7),
    Job(
        "pixels-resize",
        "Growing images: JPEG → a quarter of the size",
        pixels("resize", "--scale", "25%"),
        unit="MP",
        rounds=7,
    ),
    Job(
        "pixels-compress",
        "Growing images: JPEG → JPEG quality 80",
        pixels("compress", "-q", "80"),
        unit="MP",
        rounds=5,
    ),
    Job(
        "pixels-balanced",
        "Growing images: the same, --effort balanced",
        # Encoded in bands above 67 megapixels.
        pixels("compress", "-q", "80", effort="balanced", counts=(1, 4, 16, 64, 81, 256)),
        unit="MP",
        rounds=3,
    ),
    Job(
        "pixels-png",
        "Growing images: PNG → PNG",
        pixels("compress", suffix="png"),
        unit="MP",
        rounds=3,
    ),
    Job(
        "pixels-png-resize",
        "Growing images: PNG → a quarter of the size",
        pixels("resize", "--scale", "25%", suffix="png"),
        unit="MP",
        rounds=3,
    ),
    Job("files", "Growing folders: photographs → 1280 pixels", files, unit="file", rounds=3),
    Job(
        "frames-bgra",
        f"{FRAME_COUNT} frames of 4K, Y4M → BGRA",
        frames.to_pixels,
        (Target("ffmpeg", 0.50), Target("ffmpeg, accurate", 0.50)),
        peak_megabytes=120,
        rounds=7,
    ),
    Job(
        "frames-box",
        f"{FRAME_COUNT} frames of 4K, Y4M → 1080p BGRA, averages of 2 × 2",
        frames.to_half_size("box", "area", f"area+{frames.ACCURATE}"),
        (Target("ffmpeg area", 0.50),),
        peak_megabytes=120,
    ),
    Job(
        "frames-lanczos",
        f"{FRAME_COUNT} frames of 4K, Y4M → 1080p BGRA, each one's default filter",
        frames.to_half_size("lanczos3", "bicubic", "lanczos", f"lanczos+{frames.ACCURATE}"),
        (Target("ffmpeg bicubic", 0.50),),
        peak_megabytes=120,
    ),
    *(
        Job(
            f"frames-{name}",
            f"{FRAME_COUNT} frames of 4K, Y4M → BGRA, {title}",
            work,
            (Target("ffmpeg", 0.67),),
            rounds=5,
        )
        for name, title, work in (
            ("blur", "Gaussian blur, sigma 5", frames.blurred),
            ("overlay", "a watermark", frames.overlaid),
            ("lut", "a table of 33 × 33 × 33 colours", frames.through_table),
        )
    ),
    Job(
        "frames-h264",
        f"{H264_FRAME_COUNT} frames of 1080p, H.264 → 640 pixels wide, Y4M",
        frames.from_h264,
        (),
        rounds=5,
    ),
]
