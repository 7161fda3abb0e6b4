#!/usr/bin/env bash
# Draws docs/images/operations.jpg: a contact sheet with one tile for each operation, made by Texel.
#
# Usage: operations-sheet.sh [PROGRAM [OUTPUT]]
set -euo pipefail
cd "$(dirname "$0")/.."

texel=${1:-.build/release/texel}
output=${2:-docs/images/operations.jpg}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=TestImages/photograph.jpg
logo=TestImages/glass-palette-alpha.png
printf 'LUT_3D_SIZE 2\n0 0 .3\n1 .2 0\n.1 .8 .2\n1 .9 .3\n0 .1 .9\n.8 .2 .9\n.2 .9 1\n1 1 .9\n' >"$folder/warm.cube"

# tile NAME FLAG…: a tile with a name.
number=0
tile() {
    number=$((number + 1))
    "$texel" resize "$source" -o "$(printf '%s/tiles/%02d %s.png' "$folder" $number "$1")" \
        --width 240 --height 180 --fit cover "${@:2}" --quiet
}

mkdir "$folder/tiles"
tile "the original"
tile "blur 4" --blur 4
tile "box-blur 5" --box-blur 5
tile "sharpen 2" --sharpen 2
tile "median 7" --median 7
tile "exposure 1" --exposure 1
tile "brightness 0.6" --brightness 0.6
tile "contrast 1.6" --contrast 1.6
tile "gamma 1.8" --gamma 1.8
tile "saturation 2" --saturation 2
tile "hue 120" --hue 120
tile "temperature 3500" --temperature 3500
tile "greyscale" --greyscale
tile "sepia 1" --sepia 1
tile "tint seagreen" --tint seagreen
tile "negate" --negate
tile "threshold 128" --threshold 128
tile "normalize" --normalize
tile "clahe 3" --clahe 3
tile "curves" --curves '0,0 64,30 190,230 255,255'
tile "lut warm.cube" --lut "$folder/warm.cube"
tile "overlay" --overlay "$logo" --overlay-gravity southeast --overlay-scale 40%
tile "overlay-tile" --overlay "$logo" --overlay-tile --overlay-scale 25% --overlay-opacity 0.4
tile "overlay-blend" --overlay "$logo" --overlay-scale 100% --overlay-blend difference
tile "text" --text 'Texel' --text-size 44 --text-outline 3,navy --text-gravity south --text-offset 0,16
tile "mask" --mask "$logo"
tile "border 8" --border 8,orangered
tile "round 24" --round 24
tile "round circle" --round circle
tile "shadow 6" --round 16 --shadow 6,4,4
tile "extend blur" --extend 0,30 --extend-with blur
tile "extend mirror" --extend 20,30 --extend-with mirror
tile "flip h" --flip h
tile "angle 12" --angle 12
tile "yaw 35" --yaw 35
tile "crop attention" --crop 120x90 --gravity attention

"$texel" sheet "$folder/tiles" -r -o "$output" --columns 7 --cell 160x150 --gap 10 --font-size 12 --overwrite
