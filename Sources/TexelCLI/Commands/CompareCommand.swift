import ArgumentParser
import SystemPackage
import Texel

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Say how near a picture looks to the one it was made from.",
        discussion: """
            texel compare photo.png photo.jpg
            texel compare photo.png photo.jpg --json
            texel compare photo.png photo.jpg --heatmap differences.png

            PSNR in decibels of red, green and blue; SSIM of luma, up to 1; SSIMULACRA2: 90 cannot be told from the \
            original, 70 is high quality, 50 medium, 30 low. Both pictures are turned upright and compared as sRGB; \
            transparent ones on a dark and on a light background, of which the worse counts. An opaque copy of a \
            transparent picture may have been laid on white or black, or have lost its alpha: the best counts. The \
            heatmap is black where nothing differs, then violet, red, orange and yellow. In JSON, psnr is null where the pictures are equal.
            """)

    @Argument(help: "The picture to compare with: a file, an address, or - for standard input.", completion: .file())
    var original: String

    @Argument(help: "The picture that was made from it.", completion: .file())
    var candidate: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @Option(help: "Draw where the pictures differ; a .png or .jpg.", completion: .file())
    var heatmap: String?

    @Flag(help: "Replace an existing heatmap.")
    var overwrite = false

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func validate() throws {
        if let heatmap, FilePath(heatmap).extension.flatMap({ ImageFormat(fileExtension: $0) }) == nil {
            throw ValidationError("--heatmap \(heatmap) would be a format that Texel does not write; name it .png.")
        }
        if original == "-", candidate == "-" {
            throw ValidationError("Standard input holds one picture, not both.")
        }
    }

    func run() async throws {
        let others = try Addresses.items([original, candidate], timeout: limits.timeout?.duration)
        let interruption = Interruption()
        let stop = StopToken(parent: interruption.stop, timeout: limits.timeout?.duration)
        do throws(NamedError) {
            let items = (item(original, others), item(candidate, others))
            async let first = picture(items.0)
            async let second = picture(items.1)
            let pictures = (try await first.get(), try await second.get())
            let comparison = try await named(candidate) { () throws(PipelineError) in
                try await WorkerPool.shared.run(bytes: 0) { () throws(PipelineError) in
                    try PictureComparison(
                        of: pictures.1, with: pictures.0, threads: WorkerPool.availableCores, stopCheck: stop.check)
                }
            }
            try await drawHeatmap(pictures.0, pictures.1)
            let report = ComparisonReport(original, candidate, comparison)
            Console.write((json ? JSONLine.text(of: report) : report.text) + "\n", to: .output)
        } catch {
            if interruption.hasHappened { throw ExitStatus.interrupted.exitCode }
            if json {
                let object = ["original": original, "candidate": candidate, "error": "\(error.name): \(error.error)"]
                Console.write(JSONLine.text(of: object) + "\n", to: .output)
            } else {
                Console.write("texel: \(error.name): \(error.error)\n", to: .error)
            }
            throw ExitStatus(error.error).exitCode
        }
    }

    /// An error, and the file that it is about.
    private struct NamedError: Error {
        let name: String
        let error: PipelineError
    }

    private func named<Value>(
        _ name: String, _ body: () async throws(PipelineError) -> Value
    ) async throws(NamedError) -> Value {
        do { return try await body() } catch { throw NamedError(name: name, error: error) }
    }

    private func item(_ argument: String, _ others: [String: InputItem]) -> InputItem {
        others[argument] ?? (argument == "-" ? .standardInput : InputItem(FilePath(argument)))
    }

    private func picture(_ item: InputItem) async -> Result<PixelBuffer, NamedError> {
        var request = ImageRequest(item.source)
        request.limits = limits.limits
        request.timeout = limits.timeout?.duration
        request.cacheUse = .none
        do throws(PipelineError) {
            return .success(try await ImagePipeline.shared.image(for: request))
        } catch {
            return .failure(NamedError(name: item.name, error: error))
        }
    }

    private func drawHeatmap(_ original: PixelBuffer, _ candidate: PixelBuffer) async throws(NamedError) {
        guard let heatmap else { return }
        let path = FilePath(heatmap)
        try await named(heatmap) { () throws(PipelineError) in
            let inputs = [self.original, self.candidate].map { FilePath($0) }
            if inputs.contains(where: path.isSameFile) { throw .file(.isInput(path)) }
            let map = try await WorkerPool.shared.run(bytes: 0) {
                Result { () throws(PixelBufferError) in try candidate.differenceMap(against: original) }
                    .mapError { PipelineError.pixels($0) }
            }.get()
            try await WorkerPool.files.run(bytes: 0) { () throws(PipelineError) in
                try map.encodeAndWrite(to: path, quality: 90, overwrites: overwrite)
            }
        }
    }
}
