import Foundation
import TestSupport
import Testing
import Texel

/// Damaged files: what is written is valid, and each failure is one line.
@Suite struct DamagedCopyTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func decode(_ bytes: [UInt8], _ strictness: Strictness) throws {
        var options = DecodeOptions()
        options.policy.strictness = strictness
        _ = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options)
    }

    @Test(arguments: [["rotate", "--angle", "0"], ["compress"], ["compress", "--metadata", "none"]])
    func coefficientsWithAcceptedDefectsAreNotCopied(arguments: [String]) throws {
        let noise = try PixelBuffer.noise(PixelSize(width: 160, height: 120), alphaMode: .opaque)
        let whole = try noise.encoded(as: .jpeg(JPEGOptions(isProgressive: false)))
        let damaged = stride(from: whole.count / 2, to: whole.count - 100, by: 7).lazy.map { place in
            var bytes = whole
            bytes[place] ^= 0x55
            return bytes
        }.first { (try? decode($0, .truncated)) != nil && (try? decode($0, .error)) == nil }
        try workspace.add("a.jpg", try #require(damaged))
        let outcome = try workspace.run([arguments[0], "a.jpg"] + arguments.dropFirst() + ["-o", "b.jpg"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        try decode(try workspace.bytes("b.jpg"), .error)
    }

    /// A second scan of the same image is an error for other readers, though it is not needed. Neither its bytes nor a
    /// mixture of both scans is written.
    @Test(arguments: [["resize", "--width", "9999"], ["compress"], ["rotate", "--angle", "180"]])
    func secondScanIsNotWritten(arguments: [String]) throws {
        let size = PixelSize(width: 64, height: 48)
        let options = JPEGOptions(subsampling: .yuv420, isProgressive: false, effort: .fast)
        let first = try PixelBuffer.smooth(size).encoded(as: .jpeg(options))
        let second = try PixelBuffer.noise(size, alphaMode: .opaque).encoded(as: .jpeg(options))
        let scan = try #require(second.indices.first { second[$0...].starts(with: [0xFF, 0xDA]) })
        let bytes = Array(first.dropLast(2) + second[scan...])
        try workspace.add("a.jpg", bytes)
        try workspace.add("first.jpg", first)
        for (input, output) in [("a.jpg", "b.jpg"), ("first.jpg", "expected.jpg")] {
            let outcome = try workspace.run([arguments[0], input] + arguments.dropFirst() + ["-o", output])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try decode(try workspace.bytes("b.jpg"), .warning)
        let images = try ["b.jpg", "expected.jpg"].map {
            try CodecRegistry.shared.open(InputBytes(try workspace.bytes($0))).decodedAsStored().image
        }
        #expect(try images[0].psnr(against: images[1]) > 35)
    }

    /// Warnings of a file that fails are printed only with `--verbose`.
    @Test(arguments: [["compress"], ["resize", "--width", "9"], ["rotate", "--angle", "90"]])
    func failuresWithoutWarnings(arguments: [String]) throws {
        try workspace.add("a.png", try Array(TestFolders.testImage("size-65x33.jpg").prefix(600)))
        func errors(_ more: [String]) throws -> [String] {
            let outcome = try workspace.run([arguments[0], "a.png"] + arguments.dropFirst() + ["-o", "b.png"] + more)
            #expect(outcome.status != 0)
            return outcome.errorLines
        }
        #expect(try errors([]).count == 1)
        #expect(try errors(["--verbose"]).contains { $0.contains("has the extension .png but contains a JPEG") })
    }

    /// libjxl writes to standard error itself; its decoder and its encoder are silent in this process, too.
    @Test func oneLinePerFailure() throws {
        try workspace.add("a.png", try TestFolders.testImage("size-65x33.png"))
        #expect(try workspace.texel("compress", "a.png", "-f", "jxl", "-o", "a.jxl").status == 0)
        let whole = try workspace.bytes("a.jxl")
        var failures = 0
        for place in stride(from: 2, to: whole.count, by: max(1, whole.count / 25)) {
            var bytes = whole
            bytes[place] ^= 0x55
            try workspace.add("b.jxl", bytes)
            let outcome = try workspace.texel("compress", "b.jxl", "-o", "b.png", "--overwrite", "--no-isolate")
            #expect(outcome.errorLines.count <= 1, "\(outcome.errors)")
            failures += outcome.status == 0 ? 0 : 1
        }
        #expect(failures > 0)
    }
}
