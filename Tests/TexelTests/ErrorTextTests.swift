import Foundation
import Testing
import Texel

/// The text that programs which import Foundation print for an error.
@Suite struct ErrorTextTests {
    private static let size = PixelSize(width: 0, height: 1)

    /// Computed for each test: the leak checker does not follow references from a constant of this type.
    private static var errors: [any Error & CustomStringConvertible] {
        [
            TexelError.empty, TexelError.misaligned, TexelError.missingFile("a.jpg"),
            TexelError.status(404), TexelError.byteLimitTooLow(3, smallest: 9),
            TexelError.isolationUnavailable, TexelError.source(CancellationError()),
            TexelError.truncated(rowsRead: 3, rows: 9),
            TexelError.damaged(.png, .missing("IDAT chunk")), TexelError.stopped(.timedOut),
            TexelError.invalidSize(size), TexelError.isDirectory("folder"), TexelError.alreadyRead,
            TexelError.scoreTooHigh(99, .ssimulacra2, best: 90), TexelError.notLossless("the crop"),
            TexelError.cannotWriteCache("cache", .noSpace), TexelError.foreignManifest("m.json"),
            TexelError.noImagesFound("in"),
        ]
    }

    @Test(arguments: errors.indices) func localizedDescriptionIsTheSentence(index: Int) {
        let error: any Error = Self.errors[index]
        #expect(error.localizedDescription == Self.errors[index].description)
        #expect(!error.localizedDescription.contains("could not be completed"))
    }

    @Test func aSourcesOwnSentence() {
        struct Offline: LocalizedError { var errorDescription: String? { "the store is offline" } }
        let error: any Error = TexelError.source(Offline())
        #expect(error.localizedDescription == "the source failed: the store is offline")
    }

    @Test func errorNamesTheUnknownPlaceholder() {
        let error = #expect(throws: TexelError.self) { try OutputTemplate("{nmae}.jpg") }
        let sentence =
            "unknown placeholder {nmae}; use {dir}, {name}, {ext}, {width} or {height}, or {{ for a brace"
        #expect(error?.description == sentence)
        #expect(error?.localizedDescription == sentence)
    }
}
