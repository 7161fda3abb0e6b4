/// The one-page answer to `--help`: examples, the most important flags, and where to find the rest. The parser prints
/// the full help.
enum BriefHelp {
    /// Returns the help of a command, or `nil` if there is no such command.
    ///
    /// - Parameter command: its name; `nil` is the program itself.
    static func text(for command: String?) -> String? {
        guard let command else { return program }
        guard let body = commands[command] else { return nil }
        return body + "\n\nAll flags: texel help \(command) --all, or man texel.\(command)."
    }

    private static let program = """
        Compress, resize and rotate images; process live frames.

          texel compress photo.jpg                        photo-texel.jpg, smaller
          texel resize photos/ -r --width 1280 -o small/  a whole tree, mirrored
          texel rotate scan.png --angle 1.5 -o straight.png
          texel sheet photos/ -r -o gallery.html          all images on one page

        USAGE: texel <subcommand>

          compress   make image files smaller
          resize     change the size of images
          rotate     rotate, mirror and tilt images
          info       print properties of image files
          compare    measure how similar an image is to its original
          show       show images in the terminal
          sheet      put images on a contact sheet or a gallery page
          duplicates find images that look alike
          tile       cut images into tiles for deep-zoom viewers
          frames     process videos, cameras and image sequences
          watch      compress images that are added to a folder
          worker     process jobs given as lines of JSON

        One command: texel help compress. Exit codes: texel help --all.
        """

    private static let commands = [
        "compress": """
        Make image files smaller.

          texel compress photo.jpg -q 75                    photo-texel.jpg
          texel compress photos/ -r -o small/ --width 1920  a whole tree, mirrored
          texel compress *.png --in-place
          cat photo.jpg | texel compress - > small.jpg

        USAGE: texel compress [<options>] <inputs> ...

          -o, --output <output>   a file, a folder, - or {dir}/{name}-{width}w.{ext}
          -r, --recursive         everything in folders; --resume continues a batch
          --in-place              replace inputs; --overwrite replaces outputs
          -f, --format <format>   \(FormatArguments.names)
          -q, --quality <1-100>   of lossy formats, default 80; gives a PNG a palette
          --max-bytes <200KB>     the best image of at most this size
          --target-score <70>     the smallest of this score; 90: indistinguishable
          --effort <effort>       fast, balanced or best
          --width, --height <n>   maximum size in pixels; also --scale, --crop
          --angle <degrees>       rotate clockwise; also --flip h, --flip v
          --metadata <metadata>   none, color, privacy or all
        """,
        "resize": """
        Resize images.

          texel resize photo.jpg --width 1280 -o small.jpg
          texel resize photos/ -r --width 320 --height 320 --fit cover -o thumbs/
          texel resize photos/ -r --width 320,640,1280 -o web/
          texel resize photo.jpg --scale 50% --crop 800x600+10+20

        USAGE: texel resize [<options>] <inputs> ...

          -o, --output <output>   a file, a folder, - or {dir}/{name}-{width}w.{ext}
          -r, --recursive         everything in folders
          --width, --height <n>   a box in pixels; one alone keeps the aspect ratio
          --fit <fit>             inside, outside, cover, contain or fill the box
          --scale <50%>           a fraction of the size
          --enlarge               enlarge smaller images
          --crop <WxH+X+Y>        crop to this first
          --filter <filter>       lanczos3, or another; --linear works in linear light
          -f, --format <format>   \(FormatArguments.names)
          -q, --quality <1-100>   of lossy formats, default 80; gives a PNG a palette
          --overwrite             replace outputs; --in-place replaces inputs
        """,
        "rotate": """
        Rotate, mirror and tilt images.

          texel rotate photo.jpg --angle 90                 without loss if possible
          texel rotate scan.png --angle 1.5 --background white -o straight.png
          texel rotate sign.jpg --yaw 20 --pitch -5 -o front.jpg
          texel rotate photos/ -r --flip h -o mirrored/

        USAGE: texel rotate [<options>] <inputs> ...

          -o, --output <output>   a file, a folder, - or {dir}/{name}-{width}w.{ext}
          -r, --recursive         everything in folders
          --angle <degrees>       clockwise
          --flip <flip>           h mirrors horizontally, v vertically
          --yaw, --pitch, --roll  degrees in space
          --perspective <corners> a rectangle of four corners; also --affine
          --background <color>    colour of uncovered pixels
          -q, --quality <1-100>   of lossy formats, default 80; gives a PNG a palette
          --overwrite             replace outputs; --in-place replaces inputs
        """,
        "info": """
        Print properties of image files; decodes pixels only with --analyze.

          texel info photo.jpg
          texel info photos/ -r --json
          texel info photo.jpg --analyze

        USAGE: texel info [<options>] <inputs> ...

          -r, --recursive         everything in folders
          --analyze               statistics, colours, BlurHash, ThumbHash, hashes
          --json                  one object per file
        """,
        "compare": """
        Measure how similar an image is to its original.

          texel compare photo.png photo.jpg
          texel compare photo.png photo.jpg --show
          texel compare photo.png photo.jpg --heatmap differences.png

        USAGE: texel compare [<options>] <original> <candidate>

          --json                  one object
          --heatmap <heatmap>     write the differences; --overwrite replaces it
          --show                  both images and the differences, in the terminal

        SSIMULACRA2: 90 is indistinguishable from the original, 70 is high quality,
        50 medium, 30 low. Butteraugli: 0 is equal; a maximum below 1 is hardly seen.
        """,
        "show": """
        Show images in the terminal.

          texel show photo.jpg
          texel show photos/ -r --rows 12
          texel show logo.png --protocol blocks --columns 40

        USAGE: texel show [<options>] <inputs> ...

          -r, --recursive         everything in folders
          --protocol <protocol>   auto, kitty, sixel or blocks
          --columns, --rows <n>   the size in characters
          --background <color>    colour under transparent pixels
        """,
        "frames": """
        Process videos, cameras, streams and image sequences.

          texel frames clip.mp4                             in the terminal
          texel frames clip.mp4 --width 640 -o - | ffplay -
          texel frames /dev/video0 --frames 1 -o photo.jpg
          texel frames 'frames/*.png' --rate 30 -o clip.y4m

        USAGE: texel frames [<options>] <source>

          -o, --output <output>   a file, - or nothing for the terminal
          --to <to>               y4m, bgra, rgba, i420 or mjpeg
          --width, --height <n>   maximum size in pixels
          --drop <drop>           latest, drop-oldest, drop-newest or block
          --stats <stats>         json on standard error
        """,
        "sheet": """
        Put images on a contact sheet or a gallery page.

          texel sheet photos/ -r -o gallery.html
          texel sheet photos/ -r -o sheet.png --columns 6 --cell 320x240
          texel sheet *.jpg -o sheet.jpg --caption '{name}\\n{width}×{height}'

        USAGE: texel sheet [<options>] <inputs> ... --output <output>

          -o, --output <output>   an image such as .png is a sheet, .html a page
          -r, --recursive         everything in folders
          --columns, --rows <n>   the rest is written to another sheet
          --cell <256>            the cell of each image, also 320x240
          --fit <fit>             inside, or cover: images fill their cells
          --caption <caption>     {name} {path} {width} {height} {bytes} {format}
          --font <font>           a family or a file; also --font-size
          --background <color>    a CSS colour
          --thumbnails <where>    embedded in the page, or beside it
        """,
        "duplicates": """
        Find images that look alike.

          texel duplicates photos/ -r
          texel duplicates photos/ backup/ -r --json
          texel duplicates *.jpg --distance 6

        USAGE: texel duplicates [<options>] <inputs> ...

          -r, --recursive         everything in folders
          --distance <16>         bits of 64 by which hashes may differ, 0 to 24
          --json                  one object per group
          --progress <progress>   auto, bar, json or none

        Each group is printed with its largest image first. Nothing is deleted.
        """,
        "tile": """
        Cut images into tiles for deep-zoom viewers.

          texel tile map.png -o tiles/
          texel tile scans/ -r -o tiles/ -f webp -q 75
          texel tile map.png -o iiif/ --layout iiif --id https://example.org/iiif

        USAGE: texel tile [<options>] <inputs> ... --output <output>

          -o, --output <output>   the folder for the pyramids, named as the inputs
          -r, --recursive         everything in folders
          --layout <dzi>          dzi (Deep Zoom) or iiif (IIIF Image API 3, level 0)
          --tile-size <n>         default 254 for dzi, 512 for iiif
          --overlap <n>           default 1 for dzi; none for iiif
          -f, --format <format>   auto: jpeg, or png for images with transparency
          -q, --quality <1-100>   default 80
          --id <URL>              the address of the folder, for iiif
          --overwrite             replace pyramids
          --json                  one object per pyramid
        """,
        "watch": """
        Compress images that are added to a folder or changed in it.

          texel watch photos/ -o small/ --width 1920
          texel watch scans/ -o web/ --max-bytes 200KB --debounce 2

        USAGE: texel watch [<options>] <folder> --output <output>

          -o, --output <output>   the folder for the results
          --debounce <500ms>      how long a file must be unchanged
          --no-initial            skip existing images until they change
          --keep-deleted          keep outputs when inputs are removed
          --overwrite             replace files that watch has not written
          --json                  one object per event

        Also takes the image options of compress: --quality, --width, --format …
        Press Ctrl-C to stop.
        """,
        "worker": """
        Process jobs given as lines of JSON, for other programs.

          echo '{"input": "a.jpg", "output": "b.jpg", "width": 640}' | texel worker
          texel worker --shard 2/8 < jobs.jsonl > results-2.jsonl
          parallel --pipe -j4 texel worker --unordered < jobs.jsonl > results.jsonl

        USAGE: texel worker [<options>]

          --unordered             print results in order of completion
          --shard <i/n>           process one of n parts of the jobs
          --exit-zero             exit with 0 even if jobs failed
          -j, --jobs <jobs>       jobs at the same time

        The fields of a job are input, output and the long flags in camelCase.
        """,
    ]
}
