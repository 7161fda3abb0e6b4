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
        Compress, resize and turn pictures; play live frames.

          texel compress photo.jpg                        photo-texel.jpg, smaller
          texel resize photos/ -r --width 1280 -o small/  a whole tree, mirrored
          texel rotate scan.png --angle 1.5 -o straight.png
          texel compare photo.png photo.jpg --show        scores, and where they differ
          texel sheet photos/ -r -o gallery.html          all pictures on one page
          texel watch photos/ -o small/ --width 1920      what comes and changes

        USAGE: texel <subcommand>

          compress   make picture files smaller
          resize     make pictures smaller or larger in pixels
          rotate     turn, mirror and tilt pictures
          info       tell what picture files are
          compare    say how near a picture looks to another
          show       show pictures in the terminal
          sheet      put pictures on a contact sheet or a gallery page
          frames     play live frames
          watch      compress pictures as they come into a folder
          worker     do jobs that come as lines of JSON

        More of one: texel help compress. Exit codes: texel help --all.
        """

    private static let commands = [
        "compress": """
        Make picture files smaller.

          texel compress photo.jpg -q 75                    photo-texel.jpg
          texel compress photos/ -r -o small/ --width 1920  a whole tree, mirrored
          texel compress *.png --in-place
          cat photo.jpg | texel compress - > small.jpg

        USAGE: texel compress [<options>] <inputs> ...

          -o, --output <output>   a file, a folder, - or {dir}/{name}-{width}w.{ext}
          -r, --recursive         everything in folders; --resume goes on with them
          --in-place              replace inputs; --overwrite replaces outputs
          -f, --format <format>   auto, jpeg or png
          -q, --quality <1-100>   80 for JPEGs; gives a PNG a palette
          --max-bytes <200KB>     the best picture of at most so many bytes
          --target-score <70>     the smallest of this quality; 90 cannot be told apart
          --effort <effort>       fast, balanced or best
          --width, --height <n>   at most so many pixels; also --scale, --crop
          --angle <degrees>       turn clockwise; also --flip h, --flip v
          --metadata <metadata>   none, color, privacy or all
        """,
        "resize": """
        Make pictures smaller or larger in pixels.

          texel resize photo.jpg --width 1280 -o small.jpg
          texel resize photos/ -r --width 320 --height 320 --fit cover -o thumbs/
          texel resize photos/ -r --width 320,640,1280 -o web/
          texel resize photo.jpg --scale 50% --crop 800x600+10+20

        USAGE: texel resize [<options>] <inputs> ...

          -o, --output <output>   a file, a folder, - or {dir}/{name}-{width}w.{ext}
          -r, --recursive         everything in folders
          --width, --height <n>   a box in pixels; one alone keeps the aspect
          --fit <fit>             inside, outside, cover, contain or fill the box
          --scale <50%>           a part of the size
          --enlarge               let pictures grow
          --crop <WxH+X+Y>        cut this out first
          --filter <filter>       lanczos3, or another; --linear mixes light
          -f, --format <format>   auto, jpeg or png
          -q, --quality <1-100>   80 for JPEGs; gives a PNG a palette
          --overwrite             replace outputs; --in-place replaces inputs
        """,
        "rotate": """
        Turn, mirror and tilt pictures.

          texel rotate photo.jpg --angle 90                 without loss where it can
          texel rotate scan.png --angle 1.5 --background white -o straight.png
          texel rotate sign.jpg --yaw 20 --pitch -5 -o front.jpg
          texel rotate photos/ -r --flip h -o mirrored/

        USAGE: texel rotate [<options>] <inputs> ...

          -o, --output <output>   a file, a folder, - or {dir}/{name}-{width}w.{ext}
          -r, --recursive         everything in folders
          --angle <degrees>       clockwise
          --flip <flip>           h exchanges left and right, v top and bottom
          --yaw, --pitch, --roll  degrees in space
          --background <color>    what the turned picture leaves bare
          -q, --quality <1-100>   80 for JPEGs; gives a PNG a palette
          --overwrite             replace outputs; --in-place replaces inputs
        """,
        "info": """
        Tell what picture files are; reads their headers only.

          texel info photo.jpg
          texel info photos/ -r --json

        USAGE: texel info [<options>] <inputs> ...

          -r, --recursive         everything in folders
          --json                  one object a file
        """,
        "compare": """
        Say how near a picture looks to the one it was made from.

          texel compare photo.png photo.jpg
          texel compare photo.png photo.jpg --show
          texel compare photo.png photo.jpg --heatmap differences.png

        USAGE: texel compare [<options>] <original> <candidate>

          --json                  one object
          --heatmap <heatmap>     draw where they differ; --overwrite replaces it
          --show                  both and the difference, in the terminal

        SSIMULACRA2: 90 cannot be told from the original, 70 is high quality, 50
        medium, 30 low.
        """,
        "show": """
        Show pictures in the terminal.

          texel show photo.jpg
          texel show photos/ -r --rows 12
          texel show logo.png --protocol blocks --columns 40

        USAGE: texel show [<options>] <inputs> ...

          -r, --recursive         everything in folders
          --protocol <protocol>   auto, kitty, sixel or blocks
          --columns, --rows <n>   the room in characters
          --background <color>    behind transparent pixels
        """,
        "frames": """
        Play live frames: video, cameras, streams, pictures.

          texel frames clip.mp4                             in the terminal
          texel frames clip.mp4 --width 640 -o - | ffplay -
          texel frames /dev/video0 --frames 1 -o photo.jpg
          texel frames 'frames/*.png' --rate 30 -o clip.y4m

        USAGE: texel frames [<options>] <source>

          -o, --output <output>   a file, - or nothing for the terminal
          --to <to>               y4m, bgra, rgba, i420 or mjpeg
          --width, --height <n>   at most so many pixels
          --drop <drop>           latest, drop-oldest, drop-newest or block
          --stats <stats>         json on standard error
        """,
        "sheet": """
        Put pictures on a contact sheet or a gallery page.

          texel sheet photos/ -r -o gallery.html
          texel sheet photos/ -r -o sheet.png --columns 6 --cell 320x240
          texel sheet *.jpg -o sheet.jpg --caption '{name}\\n{width}×{height}'

        USAGE: texel sheet [<options>] <inputs> ... --output <output>

          -o, --output <output>   .png or .jpg is a sheet, .html a page
          -r, --recursive         everything in folders
          --columns, --rows <n>   what does not fit goes to another sheet
          --cell <256>            the box of each picture, also 320x240
          --fit <fit>             inside, or cover: pictures fill their boxes
          --caption <caption>     {name} {path} {width} {height} {bytes} {format}
          --font <font>           a family or a file; also --font-size
          --background <color>    a CSS colour
          --thumbnails <where>    embedded in the page, or beside it
        """,
        "watch": """
        Compress pictures as they come into a folder or change there.

          texel watch photos/ -o small/ --width 1920
          texel watch scans/ -o web/ --max-bytes 200KB --debounce 2

        USAGE: texel watch [<options>] <folder> --output <output>

          -o, --output <output>   the folder for the results
          --debounce <500ms>      how long nothing must have happened to a file
          --no-initial            leave what is there until it changes
          --keep-deleted          outputs stay when inputs are removed
          --json                  one object for each thing that happens

        All that compress can do with a picture: --quality, --width, --format …
        Ctrl-C ends it.
        """,
        "worker": """
        Do jobs that come as lines of JSON, for other programs.

          echo '{"input": "a.jpg", "output": "b.jpg", "width": 640}' | texel worker
          texel worker --shard 2/8 < jobs.jsonl > results-2.jsonl
          parallel --pipe -j4 texel worker --unordered < jobs.jsonl > results.jsonl

        USAGE: texel worker [<options>]

          --unordered             results as they come
          --shard <i/n>           one of n parts of the jobs
          --exit-zero             end with 0 where jobs failed
          -j, --jobs <jobs>       jobs at the same time

        A job's fields are input, output and the long flags in camelCase.
        """,
    ]
}
