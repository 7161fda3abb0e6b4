import Foundation
import SystemPackage
import TestSupport
import Testing

import TexelCore
@testable import TexelPipeline

/// Files are complete or absent.
@Suite(.timeLimit(.minutes(30))) struct AtomicFileTests {
    private let directory: TemporaryDirectory
    private let new = Array("new".utf8)

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    @Test func newFilesAreWritten() throws {
        try AtomicFile.write(new, to: path("a"), replacing: .nothing)
        #expect(try directory.contents() == ["a": new])
    }

    @Test func filesWithLongNamesAreWritten() throws {
        let name = String(repeating: "ü", count: 127)
        try AtomicFile.write(new, to: path(name), replacing: .nothing)
        try AtomicFile.write(new + new, to: path(name), replacing: .anything)
        #expect(try directory.contents() == [name: new + new])
    }

    @Test func existingFilesAreReplacedOnlyOnRequest() throws {
        try directory.add("a", "old".utf8)
        #expect(throws: TexelError.alreadyExists(path("a"))) {
            try AtomicFile.write(new, to: path("a"), replacing: .nothing)
        }
        #expect(try directory.contents() == ["a": Array("old".utf8)])
        try AtomicFile.write(new, to: path("a"), replacing: .anything)
        #expect(try directory.contents() == ["a": new])
    }

    @Test(arguments: [0o600, 0o644, 0o666, 0o755, 0o400]) func permissionsAreKept(mode: Int) throws {
        let file = try directory.add("a", "old".utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        try AtomicFile.write(new, to: path("a"), replacing: .anything)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == mode)
    }

    /// A link stays a link; its target is replaced in the target's own directory.
    @Test func linksStayAndTheirTargetIsReplaced() throws {
        try directory.add("deep/target", "old".utf8)
        let link = directory("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "deep/target")
        try AtomicFile.write(new, to: path("link"), replacing: .anything)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "deep/target")
        #expect(try directory.bytes("deep/target") == new)
        #expect(try directory.files() == ["deep/target", "link"])
    }

    @Test func otherHardLinksKeepTheOldContent() throws {
        try directory.add("a", "old".utf8)
        try FileManager.default.linkItem(atPath: directory("a"), toPath: directory("b"))
        try AtomicFile.write(new, to: path("a"), replacing: .anything)
        #expect(try directory.contents() == ["a": new, "b": Array("old".utf8)])
    }

    @Test func missingDirectoriesAreCreated() throws {
        try AtomicFile.write(new, to: path("no/such/a"), replacing: .anything)
        #expect(try directory.contents() == ["no/such/a": new])
        #expect(throws: TexelError.cannotCreate(path("no/such/a"), .fileExists)) {
            try AtomicFile.write(new, to: path("no/such/a/b"), replacing: .anything)
        }
    }

    @Test func directoryInTheWay() throws {
        try directory.add("a/b", "old".utf8)
        #expect(throws: TexelError.self) { try AtomicFile.write(new, to: path("a"), replacing: .anything) }
        #expect(throws: TexelError.self) { try AtomicFile.write(new, to: path("a"), replacing: .nothing) }
        #expect(try directory.contents() == ["a/b": Array("old".utf8)])
    }

    #if os(Linux)
        @Test func fullDevicesAreReported() {
            #expect(throws: TexelError.cannotWrite("/dev/full", .noSpace)) {
                try AtomicFile.write(new, to: "/dev/full", replacing: .nothing)
            }
        }
    #endif

    @Test func devicesAreWrittenInto() throws {
        try AtomicFile.write(new, to: "/dev/null", replacing: .nothing)
        #expect(FilePath("/dev/null").isDeviceOrPipe)
    }

    /// If many tasks create the same file, one succeeds, and the file is complete.
    @Test func oneOfMany() async throws {
        let file = path("a")
        let successes = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let bytes = [UInt8](repeating: UInt8(index), count: 100_000)
                    return (try? AtomicFile.write(bytes, to: file, replacing: .nothing)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
        let bytes = try directory.bytes("a")
        #expect(bytes.count == 100_000 && Set(bytes).count == 1)
        #expect(try directory.files() == ["a"])
    }
}
