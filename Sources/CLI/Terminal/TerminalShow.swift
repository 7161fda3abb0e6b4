import SystemPackage
import Texel
import TexelCore

/// Draws images on standard output. Blocking and computing work runs on threads outside the cooperative pool.
struct TerminalShow: Sendable {
    let canvas: TerminalCanvas
    private let background: PixelColor?
    private let stream: ResultStream

    /// - Parameter lines: how many lines of the terminal are needed for text.
    /// - Throws: `ExitStatus` if no pipe can be created.
    init(_ options: TerminalOptions, lines: Int, stop: StopToken) async throws {
        do throws(Errno) { try stop.openDescriptor() } catch {
            Console.complain("cannot create a pipe: \(error)")
            throw ExitStatus.inputOutputError
        }
        canvas = await WorkerPool.files.run(bytes: 0) { TerminalCanvas(options, lines: lines, stop: stop) }
        background = options.background
        stream = ResultStream(stop)
    }

    /// Loads an image, scaled down to fit the canvas, with the warnings about its header.
    func image(
        _ item: InputItem, policy: DecodePolicy, timeout: Duration?, pipeline: ImagePipeline, stop: StopToken
    ) async throws(TexelError) -> (image: PixelBuffer, warnings: [String]) {
        var request = ImageRequest(
            item.source(within: timeout), recipe: Recipe().resizing(width: canvas.box.width, height: canvas.box.height))
        request.policy = policy
        request.timeout = timeout
        request.cacheUse = .none
        let made = request
        let loading = Task { () async -> Result<(image: PixelBuffer, warnings: [String]), TexelError> in
            do throws(TexelError) {
                let loaded = try await pipeline.imageAndInfo(for: made)
                return .success((loaded.image, loaded.info.warnings))
            } catch {
                return .failure(error)
            }
        }
        stop.whenCancelled { loading.cancel() }
        return try await loading.value.get()
    }

    /// Draws an image below an optional title.
    ///
    /// - Throws: an error of encoding the image. An error of standard output is recorded and reported at the end of
    ///   the program.
    func draw(_ image: PixelBuffer, title: String?) async throws(TexelError) {
        let (canvas, background) = (canvas, background)
        let bytes = try await WorkerPool.shared.run(bytes: image.width * image.height * 8) {
            () throws(TexelError) in
            try canvas.bytes(of: image, on: background)
        }
        let text = (title.map { "\($0)\n" } ?? "") + String(decoding: bytes, as: UTF8.self)
        await WorkerPool.files.run(bytes: 0) {
            do throws(ResultStream.End) {
                try stream.write(text)
            } catch {
                // In the middle of an image: terminate the control string, and reset the colours.
                if case .stopped = error { Console.write("\u{1B}\\\u{1B}[0m\n", to: .output) }
            }
        }
    }

    /// Draws images side by side, each below its name.
    func draw(_ images: [(name: String, image: PixelBuffer)]) async throws(TexelError) {
        let (canvas, background) = (canvas, background)
        let row = try await WorkerPool.shared.run(bytes: 0) { () throws(TexelError) in
            return try ImageRow(images.map(\.image), on: canvas, background: background)
        }
        try await draw(row.image, title: row.captions(images.map(\.name)))
    }
}
