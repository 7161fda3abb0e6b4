import ArgumentParser

/// The root command `texel`. The program parses arguments and prints results; the library does the rest.
struct TexelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "texel",
        abstract: "Compress, resize and rotate images; process live frames.",
        discussion: """
            texel compress photo.jpg                        photo-texel.jpg, smaller
            texel resize photos/ -r --width 1280 -o small/  a whole tree, mirrored
            texel rotate scan.png --angle 1.5 -o straight.png
            texel info photo.jpg --json
            texel compare photo.png photo.jpg               PSNR, SSIM and SSIMULACRA2
            texel show photo.jpg                            in the terminal
            texel frames clip.mp4 --width 640 -o - | ffplay -
            texel sheet photos/ -r -o gallery.html          or sheet.png: all images on one page
            texel duplicates photos/ -r                     images that look alike
            texel tile map.png -o tiles/                    for deep-zoom viewers
            texel watch photos/ -o small/ --width 1920      new and changed images
            texel worker < jobs.jsonl > results.jsonl       one JSON job per line
            texel --version -v                              with the processor level and the libraries

            Exit codes: 0 success, 1 some inputs failed, 64 usage, 65 bad data, 66 input missing, 69 a limit was \
            exceeded, 73 cannot create output, 74 I/O error, 130 interrupted.
            """,
        // For the help, and for `-v --version`.
        version: VersionReport.text(for: CommandLine.arguments),
        subcommands: [
            CompressCommand.self, ResizeCommand.self, RotateCommand.self, InfoCommand.self, CompareCommand.self,
            ShowCommand.self, FramesCommand.self, WatchCommand.self, SheetCommand.self,
            DuplicatesCommand.self, TileCommand.self, WorkerCommand.self,
        ])
}
