#!/usr/bin/env bash
# Installs the system libraries that Texel builds against, if they are missing: libpng, libdeflate, ISA-L,
# libjpeg(-turbo), Little CMS, libsodium, zopfli, FreeType, fontconfig, libwebp, libavif, libde265, libjxl, libtiff,
# HarfBuzz, FriBidi, FFmpeg's libraries, libarchive, on Linux libseccomp.
#
# Usage: install-dependencies.sh [opengl] [tests] [browser]
#   opengl   EGL's and OpenGL's headers and Mesa's drivers as well
#   tests    programs that some tests compare with or run: ffmpeg, avifdec, heif-convert, djxl, zsh and fish; without
#            them these tests are skipped
#   browser  Chromium, which opens the pages that Texel writes
set -euo pipefail

packages=()

# pkg-config says what is installed; it may be missing itself.
if ! command -v pkg-config >/dev/null; then
    packages+=(pkg-config)
fi
for pair in libpng:libpng-dev libdeflate:libdeflate-dev libisal:libisal-dev libjpeg:libjpeg-dev lcms2:liblcms2-dev \
    libsodium:libsodium-dev freetype2:libfreetype-dev fontconfig:libfontconfig-dev libwebp:libwebp-dev \
    libavif:libavif-dev libde265:libde265-dev libjxl:libjxl-dev libtiff-4:libtiff-dev \
    harfbuzz:libharfbuzz-dev fribidi:libfribidi-dev libavformat:libavformat-dev libswscale:libswscale-dev \
    libarchive:libarchive-dev; do
    if ! pkg-config --exists "${pair%%:*}" 2>/dev/null; then
        packages+=("${pair##*:}")
    fi
done
if [ "$(uname)" = Linux ] && ! pkg-config --exists libseccomp 2>/dev/null; then
    packages+=(libseccomp-dev)
fi
# zopfli's packages have no file for pkg-config: ask the compiler.
if ! echo '#include <zopfli/deflate.h>' | cc -E - >/dev/null 2>&1; then
    packages+=(libzopfli-dev)
fi
for program in ffmpeg zsh fish; do
    if [[ " $* " == *" tests "* ]] && ! command -v $program >/dev/null; then packages+=("$program"); fi
done
if [[ " $* " == *" tests "* ]] && ! command -v avifdec >/dev/null; then packages+=(libavif-bin); fi
if [[ " $* " == *" tests "* ]] && ! command -v djxl >/dev/null; then packages+=(libjxl-tools); fi
if [[ " $* " == *" tests "* ]] && ! command -v heif-convert >/dev/null; then packages+=(libheif-examples); fi
if [[ " $* " == *" browser "* ]] && ! command -v chromium chromium-browser google-chrome >/dev/null; then
    packages+=(chromium)
fi
if [[ " $* " == *" opengl "* ]]; then
    for pair in egl:libegl-dev gl:libgl-dev; do
        if ! pkg-config --exists "${pair%%:*}" 2>/dev/null; then
            packages+=("${pair##*:}")
        fi
    done
    # Any vendor's driver will do; Mesa's needs no graphics card.
    if ! compgen -G "/usr/share/glvnd/egl_vendor.d/*.json" >/dev/null; then
        packages+=(libegl-mesa0 libgl1-mesa-dri)
    fi
fi
[ ${#packages[@]} -eq 0 ] && exit 0

echo "Missing system packages: ${packages[*]}"

if [ "$(uname)" = Darwin ]; then
    command -v brew >/dev/null || { echo "Install Homebrew, or libpng, libdeflate, isa-l, jpeg-turbo, little-cms2, libsodium, zopfli, freetype, fontconfig, webp, libavif, libde265, jpeg-xl, libtiff, harfbuzz, fribidi, ffmpeg and libarchive by other means." >&2; exit 1; }
    exec brew install pkgconf libpng libdeflate isa-l jpeg-turbo little-cms2 libsodium zopfli freetype fontconfig webp libavif libde265 jpeg-xl libtiff harfbuzz fribidi ffmpeg libarchive
fi
if ! command -v apt-get >/dev/null; then
    echo "This script knows only apt and Homebrew. Install libpng, libdeflate, ISA-L, libjpeg-turbo, lcms2, libsodium, zopfli, FreeType, fontconfig, libwebp, libavif, libde265, libjxl, libtiff 4.5, HarfBuzz 3, FriBidi 1.0, FFmpeg 5.1, libseccomp and pkg-config with their headers." >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Neither root nor sudo: ask an administrator for: apt-get install ${packages[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}"
