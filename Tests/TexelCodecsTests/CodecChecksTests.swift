import TestSupport
import Testing
import TexelJPEG
import TexelPNG

@testable import TexelCodecs

/// The properties of every codec, with the two formats that a library user always has.
@Suite struct CodecChecksTests {
    @Test func pngPassesTheSharedChecks() async throws {
        let checks = CodecChecks(PNGCodec())
        try checks.checkRoundTrips(PNGOptions())
        try checks.checkMetadata(PNGOptions())
        let bytes = try TestFolders.testImage("glass-palette-alpha.png")
        try checks.checkTruncations(of: bytes, count: 100)
        checks.checkMutations(of: bytes, count: 100, seed: 1)
        try await checks.checkArriving(bytes, seed: 2)
        try checks.checkLimits(bytes)
    }

    /// A JPEG may lack the end of its last row of blocks, so its truncations are not checked here.
    @Test func jpegPassesTheSharedChecks() async throws {
        let checks = CodecChecks(JPEGCodec())
        try checks.checkRoundTrips(JPEGOptions(quality: 95), meanTolerance: 2)
        try checks.checkMetadata(JPEGOptions())
        let bytes = try TestFolders.testImage("metadata.jpg")
        checks.checkMutations(of: bytes, count: 100, seed: 1)
        try await checks.checkArriving(bytes, seed: 2)
        try checks.checkLimits(bytes)
    }
}
