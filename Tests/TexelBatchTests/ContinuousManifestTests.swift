import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import TexelBatch
@testable import TexelPipeline

/// The manifest of a program that writes results for as long as it runs.
@Suite struct ContinuousManifestTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var out: FilePath { FilePath(directory("out")) }

    private func item() throws -> InputItem { InputItem(FilePath(try directory.add("in/a.png", [1]))) }

    /// Results that are replaced again and again: the manifest is written anew, and knows the newest of each.
    @Test func continuousManifestStaysShort() throws {
        let item = try item()
        let (kept, removed) = (out.appending("kept.png"), out.appending("removed.png"))
        let manifest = try BatchManifest(continuousIn: out)
        let stamp = try #require(FileStamp(item.path))
        var longest = 0
        for number in 0..<2000 {
            for output in [kept, removed] {
                try directory.add("out/\(output.lastComponent?.string ?? "")", Array("\(number)".utf8))
                manifest.begin(item.path, output: output)
                manifest.finish(item.path, stamp, number: output == kept ? 0 : 1, settings: 1, output: output)
                #expect(manifest.owns(output, by: item.path))
            }
            longest = max(longest, try directory.bytes("out/\(BatchManifest.fileName)").count)
        }
        #expect(longest < 300_000, "\(longest) bytes")
        // Changed by another program.
        try directory.add("out/kept.png", Array("another one".utf8))
        #expect(!manifest.owns(kept, by: item.path) && manifest.writeError == nil)
        try directory.add("out/kept.png", Array("1999".utf8))
        manifest.finish(item.path, stamp, number: 0, settings: 1, output: kept)
        manifest.end(isComplete: false)
        try FileManager.default.removeItem(atPath: removed.string)
        #expect(try BatchManifest(continuousIn: out).owns(kept, by: item.path))
    }

    /// A manifest whose folder is removed begins anew.
    @Test func continuousManifestIsRemoved() throws {
        let item = try item()
        let manifest = try BatchManifest(continuousIn: out)
        let stamp = try #require(FileStamp(item.path))
        for name in ["a.png", "b.png"] {
            try directory.add("out/\(name)", [1])
            manifest.finish(item.path, stamp, number: 0, settings: 1, output: out.appending(name))
            try FileManager.default.removeItem(atPath: out.string)
        }
        try directory.add("out/c.png", [1])
        manifest.finish(item.path, stamp, number: 0, settings: 1, output: out.appending("c.png"))
        manifest.end(isComplete: false)
        #expect(manifest.writeError == nil)
        #expect(try BatchManifest(continuousIn: out).owns(out.appending("c.png"), by: item.path))
    }
}
