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
        _ = try ImageSource(InputBytes(bytes)).decodedAsStored(options)
    }

    /// Coefficients with an accepted defect are not copied.
    @Test(arguments: [["rotate", "--angle", "0"], ["compress"], ["compress", "--metadata", "none"]])
    func damagedScans(arguments: [String]) throws {
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
