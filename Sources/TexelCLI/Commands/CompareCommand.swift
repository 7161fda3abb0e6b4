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
        if let heatmap { try Self.check(heatmap: heatmap) }
        if original == "-", candidate == "-" {
            throw ValidationError("Standard input holds one picture, not both.")
        }
    }

    /// - Throws: `ValidationError` for a name that promises no format that could be drawn.
    static func check(heatmap: String) throws {
        guard FilePath(heatmap).extension.flatMap({ ImageFormat(fileExtension: $0) }) == nil else { return }
        throw ValidationError("--heatmap \(heatmap) would be a format that Texel does not write; name it .png.")
    }

    func run() async throws {
        let others = try Addresses.items([original, candidate], timeout: limits.timeout?.duration)
        let interruption = Interruption()
        let comparison = ComparisonRun(
            original: item(original, others), candidate: item(candidate, others), heatmap: heatmap.map { FilePath($0) },
            overwrites: overwrite, limits: limits, pipeline: .shared, pool: .shared)
        do throws(ComparisonRun.NamedError) {
            let report = ComparisonReport(
                original, candidate, try await comparison.comparison(stop: interruption.stop))
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

    private func item(_ argument: String, _ others: [String: InputItem]) -> InputItem {
        others[argument] ?? (argument == "-" ? .standardInput : InputItem(FilePath(argument)))
    }
}
