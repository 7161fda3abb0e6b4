import Foundation
import Testing
import Texel

/// The text that programs which import Foundation print for an error.
@Suite struct ErrorTextTests {
    private static let size = PixelSize(width: 0, height: 1)

    /// Computed for each test: the leak checker does not follow references from a constant of this type.
    private static var errors: [any Error & CustomStringConvertible] {
        [
            PipelineError.codec(.empty), PipelineError.pixels(.misaligned), PipelineError.file(.missing("a.jpg")),
            PipelineError.transfer(.status(404)), PipelineError.target(.byteLimitTooLow(3, smallest: 9)),
            PipelineError.isolation(.unavailable), PipelineError.source(CustomError(CancellationError())),
            CodecError.truncated(rowsRead: 3, rows: 9), FormatDefect.missing("IDAT chunk"),
            FormatDefect.missing("frame header"),
            PixelBufferError.invalidSize(size), FileError.isDirectory("folder"), TransferError.alreadyRead,
            TargetError.scoreTooHigh(99, .ssimulacra2, best: 90), IsolationError.invalidReply,
            CacheError.cannotWrite(directory: "cache", .noSpace), ManifestError.foreign("m.json"),
            CustomError(CancellationError()),
        ]
    }

    @Test(arguments: errors.indices) func localizedDescriptionIsTheSentence(index: Int) {
        let error: any Error = Self.errors[index]
        #expect(error.localizedDescription == Self.errors[index].description)
        #expect(!error.localizedDescription.contains("could not be completed"))
    }

    @Test func aSourcesOwnSentence() {
        struct Offline: LocalizedError { var errorDescription: String? { "the store is offline" } }
        let error: any Error = PipelineError.source(CustomError(Offline()))
        #expect(error.localizedDescription == "the source failed: the store is offline")
    }

    @Test func unknownPlaceholder() {
        let error = #expect(throws: OutputTemplate.UnknownPlaceholder.self) { try OutputTemplate("{nmae}.jpg") }
        let sentence =
            "unknown placeholder {nmae}; use {dir}, {name}, {ext}, {width} or {height}, or {{ for a brace"
        #expect(error?.description == sentence)
        #expect(error?.localizedDescription == sentence)
    }
}
