# Sourced by scripts that compile against an existing build: sets `flags`, the places of its modules and of their C
# headers. `programs` is the absolute path of the build, and the working directory is the package's.
flags=(-I "$programs/Modules")
for map in "$programs"/*.build/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
while read -r headers; do flags+=(-I "$headers"); done < <(
    find Sources -name module.modulemap -printf '%h\n'
    find Sources "$programs"/../../checkouts/*/Sources -name include -type d)
for flag in $(pkg-config --cflags-only-I freetype2 fontconfig); do flags+=(-Xcc "$flag"); done
