import SystemPackage
import Texel
import TexelCore
import TexelFrames
import TexelSheets

struct SheetCommand: Command {
    static let description = CommandDescription(
        name: "sheet",
        abstract: "Put many images on one page: a contact sheet or a gallery.",
        examples: [
            "texel sheet photos/ -r -o sheet.png",
            #"texel sheet *.jpg -o sheet.jpg --caption '{name}\n{width}×{height}'"#,
            "texel sheet *.png -o dark.png --background '#222' --frame 1,#555 --no-captions",
            "texel sheet photos/ -r -o gallery.html",
            "texel sheet film.mp4 --every 10s -o film.jpg",
        ],
        discussion: """
            The extension of -o decides: images are contact sheets, .html is a page for browsers with the thumbnails \
            in it. Unreadable images keep their cells and names.
            """,
        brief: ["output", "recursive", "columns", "rows", "cell", "fit", "caption", "font", "background", "thumbnails"])

    var inputs: [String] = []
    var output = ""
    var recursive = false
    var every: DurationArgument?
    var overwrite = false
    var look = SheetOptions()
    var thumbnails: Gallery.ThumbnailPlace?
    var quality: Int?
    var effort: Effort?
    var json = false
    var work = WorkOptions()

    static let options: [Option<Self>] =
        [
            .operands("inputs", \.inputs, help: "Files, directories (with -r), archives or patterns."),
            .text("output", \.output, help: "A file that ends in \(FormatArguments.extensions(and: ".html")).").short(
                "o"
            ).completed(with: .file),
            .flag("recursive", \.recursive, help: "Process all images in directories.").short("r"),
            .argument(
                "every", \.every, DurationArgument.expectation,
                help: "Of videos, a frame per interval: 10s, 500ms or 5m."
            ).defaulting(to: "one frame that is not black"),
            .flag("overwrite", \.overwrite, help: "Replace existing outputs."),
        ]
        + SheetOptions.options(at: \.look, section: "Look")
        + [
            .argument(
                "thumbnails", \.thumbnails,
                help: "Where the thumbnails of a gallery are stored: embedded, or beside it in a separate folder."
            ).defaulting(to: "embedded"),
            .integer(
                "quality", \.quality, .within(1...100),
                help: "JPEG quality, 1 to 100; for a PNG, the quality of its palette."
            ).defaulting(to: "90; 80 in a gallery").short("q"),
            .argument("effort", \.effort, help: "Effort to reduce the file size: fast, balanced or best.").defaulting(
                to: "fast"),
            .flag("json", \.json, help: "Print one JSON object per page."),
        ]
        + WorkOptions.options(at: \.work, section: "Limits")

    func checkMeaning() throws(OptionError) {
        try look.check()
        _ = try kind()
        if inputs.contains("-") || inputs.contains(where: Addresses.isAddress) {
            throw OptionError("sheet reads files only; save standard input or URLs to files first")
        }
    }

    /// Refuses flags that have no effect on the kind of output.
    private func checkUnusedFlags(_ kind: Kind) throws(OptionError) {
        let text: [OptionName] = ["caption", "font", "font-size", "text-color"]
        let given = given
        switch kind {
        case .sheet(let encoding):
            let unused = ["thumbnails"] + (look.captions == false ? text : [])
            for name in unused where given.contains(name) {
                let reason = name == "thumbnails" ? "in a contact sheet; name the output .html" : "with --no-captions"
                throw OptionError("\(option: name) has no effect \(reason)")
            }
            let capabilities = encoding.format.capabilities
            if quality != nil, !capabilities.isLossy, !capabilities.hasPalettes {
                throw OptionError("--quality has no effect on \(encoding.format.displayName)")
            }
            if !capabilities.hasEfforts, effort != nil {
                throw OptionError("--effort has no effect on \(encoding.format.displayName)")
            }
        case .gallery:
            let sheetOnly: [OptionName] = [
                "columns", "rows", "gap", "margin", "frame", "background", "captions", "no-captions",
            ]
            for name in sheetOnly + text + ["effort"] where given.contains(name) {
                throw OptionError("\(option: name) has no effect in a gallery; name the output .png or .jpg")
            }
        }
    }

    /// The kind of output.
    private enum Kind {
        case sheet(ImageEncoding)
        case gallery
    }

    private func kind() throws(OptionError) -> Kind {
        let name = FilePath(output).extension?.lowercased() ?? ""
        if ["html", "htm"].contains(name) { return .gallery }
        let palette = quality.map { PaletteOptions(colors: PaletteOptions.colorCounts.upperBound, quality: $0) }
        let settings = EncodingSettings(quality: quality ?? 90, palette: palette, effort: effort ?? .fast)
        guard let encoding = ImageFormat(fileExtension: name)?.encoding(settings) else {
            throw OptionError("--output \(output) must end in \(FormatArguments.extensions(and: ".html"))")
        }
        return .sheet(encoding)
    }

    func run() async throws {
        let style = try look.style()
        let kind = try kind()
        try checkUnusedFlags(kind)
        let path = RawArguments.path(output)
        let outputs =
            switch kind {
            case .sheet: ContactSheet.existingPages(path)
            case .gallery: [Gallery.thumbnailFolder(of: path)]
            }
        let found = InputExpansion.expand(
            inputs, isRecursive: recursive, others: NamedTrees.archives(inputs), excluding: outputs,
            path: RawArguments.path)
        let isSingle = inputs.count == 1 && !found.isOpenEnded
        let interruption = Interruption.shared
        let reporter = SheetReporter(isJSON: json)
        for failure in found.failures { reporter.fail(FileResult(failed: failure).input.string, failure) }
        if found.items.isEmpty {
            reporter.report("\(output): not written, because no image was found")
        } else {
            let making = Task {
                await make(kind, style, await cells(found.items, interruption.stop, reporter), reporter)
            }
            interruption.stop.whenCancelled { making.cancel() }
            if let error = await making.value {
                if interruption.hasHappened { throw ExitStatus.interrupted }
                let alternative = error.kind == .noFonts ? ", or use --no-captions" : ""
                let sentence = ErrorText.sentence(error, replacesInputs: false)
                reporter.report("\(output): \(sentence)\(alternative)")
                throw ExitStatus(error)
            }
        }
        if !json { Console.tell(otherFileCount: found.otherFileCount) }
        guard let first = reporter.firstError else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: found)
    }

    /// Replaces videos by their frames, if frames are requested.
    private func cells(_ items: [InputItem], _ stop: StopToken, _ reporter: SheetReporter) async -> [InputItem] {
        guard let every else { return items }
        var cells: [InputItem] = []
        for item in items {
            guard VideoCells.isVideo(item) else {
                cells.append(item)
                continue
            }
            do throws(TexelError) {
                cells += try await VideoCells.items(of: item, every: every.duration, work, stop: stop)
            } catch {
                if stop.isStopped { break }
                // The video keeps one cell.
                cells.append(item)
                reporter.fail(item.name, error)
            }
        }
        return cells
    }

    /// - Returns: the error, if there is no output.
    private func make(
        _ kind: Kind, _ style: SheetStyle, _ items: [InputItem], _ reporter: SheetReporter
    ) async -> TexelError? {
        var options = work.options
        options.overwrites = overwrite
        do throws(TexelError) {
            switch kind {
            case .sheet(let encoding):
                let sheet = ContactSheet(
                    style, encoding, usesLinearLight: look.linear, options: options, pool: work.pool)
                let pages = try await sheet.write(items, to: RawArguments.path(output)) { reporter.fail($0.name, $1) }
                for page in pages { reporter.report(SheetReport(page)) }
            case .gallery:
                let gallery = Gallery(
                    thumbnails: thumbnails ?? .embedded, box: style.cell, covers: style.coversCell,
                    usesLinearLight: look.linear,
                    quality: quality ?? 80, options: options, pool: work.pool)
                let page = try await gallery.write(items, to: RawArguments.path(output)) { reporter.fail($0.name, $1) }
                reporter.report(SheetReport(page))
            }
            return nil
        } catch {
            return error
        }
    }
}

extension Gallery.ThumbnailPlace: NamedArgument {}
