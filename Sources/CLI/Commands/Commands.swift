/// The commands of the program `texel`. The program parses arguments and prints results; the library does the rest.
enum Commands {
    static let all: [any Command.Type] = [
        CompressCommand.self, ResizeCommand.self, RotateCommand.self, InfoCommand.self, CompareCommand.self,
        ShowCommand.self, SheetCommand.self, DuplicatesCommand.self, TileCommand.self, FramesCommand.self,
        WatchCommand.self, WorkerCommand.self,
    ]

    /// The description of the program in help.
    static let description = CommandDescription(
        name: "texel",
        abstract: "Compress, resize and rotate images; process live frames.",
        examples: [
            "texel compress photo.jpg                        photo-texel.jpg, smaller",
            "texel resize photos/ -r --width 1280 -o small/  a whole tree, mirrored",
            "texel rotate scan.png --angle 1.5 -o straight.png",
            "texel sheet photos/ -r -o gallery.html          all images on one page",
            "texel info photo.jpg --json",
            "texel compare photo.png photo.jpg               PSNR, SSIM and SSIMULACRA2",
            "texel show photo.jpg                            in the terminal",
            "texel frames clip.mp4 --width 640 -o - | ffplay -",
            "texel duplicates photos/ -r                     images that look alike",
            "texel tile map.png -o tiles/                    for deep-zoom viewers",
            "texel watch photos/ -o small/ --width 1920      new and changed images",
            "texel worker < jobs.jsonl > results.jsonl       one JSON job per line",
            "texel --version -v                              with the libraries",
        ],
        discussion: """
            Exit codes: 0 success, 1 some inputs failed, 64 usage, 65 bad data, 66 input missing, 69 a limit was \
            exceeded, 73 cannot create output, 74 I/O error, 130 interrupted.
            """)

    static func named(_ name: String) -> (any Command.Type)? { all.first { $0.description.name == name } }
}
