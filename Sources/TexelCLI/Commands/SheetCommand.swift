import ArgumentParser
import SystemPackage
import Texel
import TexelFrames
import TexelSheets

struct SheetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "sheet",
        abstract: "Put many images on one page: a contact sheet or a gallery.",
        discussion: """
            texel sheet photos/ -r -o sheet.png
            texel sheet *.jpg -o sheet.jpg --columns 8 --cell 200 --caption '{name}\\n{width}×{height}'
            texel sheet *.png -o dark.png --background '#222' --frame 1,#555 --no-captions
            texel sheet photos/ -r -o gallery.html
            texel sheet film.mp4 --every 10s -o film.jpg

            The extension of -o decides: images are contact sheets, .html is a page for browsers with the thumbnails \
            in it. Unreadable images keep their cells and names.
            """)

    @Argument(help: "Files, directories (with -r) or patterns.", completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long], help: "A file that ends in \(FormatArguments.extensions(and: ".html")).",
        completion: .file())
    var output: String

    @Flag(name: [.short, .customLong("recursive")], help: "Process all images in directories.")
    var recursive = false

    @Option(help: "Of videos, a frame per interval: 10s, 500ms or 5m (default: one frame that is not black).")
    var every: DurationArgument?

    @Flag(help: "Replace existing outputs.")
    var overwrite = false

    @OptionGroup(title: "Look") var look: SheetOptions

    @Option(help: "Where the thumbnails of a gallery are stored: embedded, or beside it in a separate folder.")
    var thumbnails = Gallery.ThumbnailPlace.embedded

    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: "JPEG quality, 1 to 100 (default: 90; 80 in a gallery); for a PNG, the quality of its palette.")
    var quality: Int?

    @Option(help: "Effort to reduce the file size: fast, balanced or best.")
    var effort = Effort.fast

    @Flag(help: "Print one JSON object per page.")
    var json = false

    @OptionGroup(title: "Limits") var work: WorkOptions

    func validate() throws {
        _ = try kind()
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality \(quality) is not between 1 and 100.")
        }
        if inputs.contains("-") || inputs.contains(where: Addresses.isAddress) {
            throw ValidationError("sheet reads files only; save standard input or URLs to files first.")
        }
    }

    /// Refuses flags that have no effect on the kind of output.
    private func checkUnusedFlags(_ kind: Kind) throws {
        let text = ["caption", "font", "font-size", "text-color"]
        switch kind {
        case .sheet(let encoding):
            let unused = ["thumbnails"] + (look.captions ? [] : text)
            for name in unused where RawArguments.contains(option: name) {
                let reason = name == "thumbnails" ? "in a contact sheet; name the output .html" : "with --no-captions"
                throw ValidationError("--\(name) has no effect \(reason).")
            }
            let capabilities = encoding.format.capabilities
            if quality != nil, !capabilities.isLossy, !capabilities.hasPalettes {
                throw ValidationError("--quality has no effect on \(encoding.format.displayName).")
            }
            if !capabilities.hasEfforts, RawArguments.contains(option: "effort") {
                throw ValidationError("--effort has no effect on \(encoding.format.displayName).")
            }
        case .gallery:
            let sheetOnly = ["columns", "rows", "gap", "margin", "frame", "background", "captions", "no-captions"]
            for name in sheetOnly + text + ["effort"] where RawArguments.contains(option: name) {
                throw ValidationError("--\(name) has no effect in a gallery; name the output .png or .jpg.")
            }
        }
    }

    /// The kind of output.
    private enum Kind {
        case sheet(ImageEncoding)
        case gallery
    }

    private func kind() throws -> Kind {
        let name = FilePath(output).extension?.lowercased() ?? ""
        if ["html", "htm"].contains(name) { return .gallery }
        let palette = quality.map { PaletteOptions(colors: PaletteOptions.colorCounts.upperBound, quality: $0) }
        let settings = EncodingSettings(quality: quality ?? 90, palette: palette, effort: effort)
        guard let encoding = ImageFormat(fileExtension: name)?.encoding(settings) else {
            throw ValidationError("--output \(output) must end in \(FormatArguments.extensions(and: ".html")).")
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
            inputs, isRecursive: recursive, by: FolderRule(excluding: outputs), path: RawArguments.path)
        let isSingle = inputs.count == 1 && !found.isOpenEnded
        let interruption = Interruption.shared
        let reporter = SheetReporter(isJSON: json)
        for failure in found.failures { reporter.fail(FileResult(failed: failure).input.string, .file(failure)) }
        if found.items.isEmpty {
            reporter.report("\(output): not written, because no image was found")
        } else {
            let making = Task {
                await make(kind, style, await cells(found.items, interruption.stop, reporter), reporter)
            }
            interruption.stop.whenCancelled { making.cancel() }
            if let error = await making.value {
                if interruption.hasHappened { throw ExitStatus.interrupted.exitCode }
                reporter.report("\(output): \(ErrorText.sentence(error))")
                throw ExitStatus(error).exitCode
            }
        }
        if !json { Console.tell(otherFileCount: found.otherFileCount) }
        guard let first = reporter.firstError else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: found).exitCode
    }

    /// Replaces videos by their frames, if they are asked for.
    private func cells(_ items: [InputItem], _ stop: StopToken, _ reporter: SheetReporter) async -> [InputItem] {
        guard let every else { return items }
        var cells: [InputItem] = []
        for item in items {
            guard VideoCells.isVideo(item) else {
                cells.append(item)
                continue
            }
            do throws(FrameError) {
                cells += try await VideoCells.items(of: item, every: every.duration, work, stop: stop)
            } catch {
                if stop.isStopped { break }
                // The video keeps one cell.
                cells.append(item)
                reporter.fail(item.name, PipelineError(error))
            }
        }
        return cells
    }

    /// - Returns: the error, if there is no output.
    private func make(
        _ kind: Kind, _ style: SheetStyle, _ items: [InputItem], _ reporter: SheetReporter
    ) async -> SheetError? {
        var options = work.options
        options.overwrites = overwrite
        do throws(SheetError) {
            switch kind {
            case .sheet(let encoding):
                let sheet = ContactSheet(
                    style, encoding, usesLinearLight: look.linear, options: options, pool: work.pool)
                let pages = try await sheet.write(items, to: RawArguments.path(output)) { reporter.fail($0.name, $1) }
                for page in pages { reporter.report(SheetReport(page)) }
            case .gallery:
                let gallery = Gallery(
                    thumbnails: thumbnails, box: style.cell, covers: style.coversCell, usesLinearLight: look.linear,
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
