import TexelCore
import TexelPixels

import TexelFormats
import TexelOperations
@testable import TexelCLI
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG
@testable import TexelPipeline

extension FuzzTarget {
    /// Replies that a compromised child process could send.
    static let answer = FuzzTarget("answer", maximumLength: 1 << 12) { bytes, choices in
        guard let reply = try? MessageDecoder.decode(IsolatedReply.self, from: bytes) else { return }
        do {
            let written = try MessageEncoder.encode(reply)
            let copy = try MessageDecoder.decode(IsolatedReply.self, from: written)
            expect(try MessageEncoder.encode(copy) == written, "an answer stays what it is")
        } catch {
            expect(false, "an answer can be written and read again: \(error)")
        }
        switch reply {
        case .header(let info):
            guard info.isPlausible(within: .fuzzing) else { return }
            info.expectReadableReport(byteCount: bytes.count)
            info.expectPlan(&choices)
        case .results(let outcomes):
            for outcome in outcomes {
                switch outcome {
                case .made(let head):
                    _ = try? MessageDecoder.decode(EncodedImage.Head.self, from: head)
                    _ = try? MessageDecoder.decode(PixelBuffer.Head.self, from: head)
                    // A rectangle that is accepted can be cropped.
                    let finding = try? MessageDecoder.decode(TrimOperation.Finding.self, from: head)
                    guard case .content(let rectangle) = finding,
                        rectangle.isInside(PixelSize(width: 40, height: 24))
                    else { continue }
                    expect(rectangle.size.isPositive, "what a trim keeps has pixels")
                case .failed(let failure): expectPrintable(failure)
                }
            }
        case .failed(let failure): expectPrintable(failure)
        case .video(.frame(let picture, _)):
            // A layout that is accepted has planes within its bytes.
            guard let layout = try? picture.layout(), let count = try? layout.byteCount else { return }
            let isInside = layout.planes.allSatisfy { $0.offset + $0.bytesPerRow * $0.rowCount <= count }
            expect(isInside, "the planes of a frame are inside of its bytes")
        case .video(.opened), .video(.end), .video(.moved), .video(.failed): break
        case .ready, .progress: break
        }
    }

    /// Valid replies, as seeds.
    static func answers() throws -> [[UInt8]] {
        let image = try PixelBuffer(width: 40, height: 24, filledWith: 0xFF40_80C0, alphaMode: .opaque)
        let files = [
            try image.encoded(as: .jpeg(JPEGOptions())), try image.encoded(as: .png(PNGOptions(effort: .fast))),
        ]
        let errors: [TexelError] = [
            .png(.checksumMismatch(of: "IDAT chunk", declared: 1, computed: 2)), .unsupported("this"),
            .limitExceeded(.scans, value: 9, allowed: 8), .invalidSize(PixelSize(width: 0, height: 1)),
            .scoreTooHigh(90.5, .ssimulacra2, best: 89),
        ]
        var replies = errors.map { IsolatedReply.failed($0) }
        for file in files {
            let source = try CodecRegistry.shared.open(InputBytes(file))
            replies.append(.header(source.info))
            let plan = try Planner.plan(Recipe(), for: source.info, to: .file(source.info.format))
            var result = try plan.file(RouteContext(source))
            result.bytes = []
            replies.append(
                .results([
                    .made(try MessageEncoder.encode(EncodedImage.Head(image: result, byteCount: file.count))),
                    .made(
                        try MessageEncoder.encode(
                            PixelBuffer.Head(size: image.size, alphaMode: .opaque, colorSpace: .sRGB))),
                ]))
        }
        let finding = TrimOperation.Finding.content(PixelRectangle(x: 1, y: 2, width: 30, height: 20))
        replies.append(.results([.made(try MessageEncoder.encode(finding))]))
        return try replies.map { try MessageEncoder.encode($0) }
    }
}

extension ImageInfo {
    /// Checks that planning works for any plausible header.
    fileprivate func expectPlan(_ choices: inout FuzzChoices) {
        let recipe = Recipe(&choices)
        do {
            let plan = try Planner.plan(recipe, for: self, to: .file(recipe.output.format ?? format))
            expect(plan.outputSize.isPositive, "a result has pixels")
            expect(plan.estimatedBytes >= 0, "a plan takes memory")
        } catch {
            expectSentence(error)
        }
    }
}

/// Checks that an error, whose text the child chose, is safe to print.
private func expectPrintable(_ error: TexelError) {
    let text = Console.printable("\(error)")
    expect(!text.isEmpty, "an error says something")
    expect(
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "an error does nothing to a terminal")
}
