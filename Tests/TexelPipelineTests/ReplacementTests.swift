import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import Testing

import TexelCore
@testable import TexelPipeline

/// The files that new files replace, and those that they never replace.
@Suite struct ReplacementTests {
    private let directory: TemporaryDirectory
    private let old = Array("old".utf8)
    private let new = Array("new".utf8)

    init() throws {
        directory = try TemporaryDirectory()
        try directory.add("a", old)
    }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func state(_ name: String) throws -> FileState {
        try #require(FileStatus(path(name)).flatMap { FileState($0) })
    }

    /// The action of another program on a file meanwhile.
    enum Change: CaseIterable {
        case written, writtenWithItsFormerTime, replaced, replacedByALink, removed

        func happen(to name: String, in directory: TemporaryDirectory) throws {
            let file = directory(name)
            switch self {
            case .written: try directory.add(name, "mine".utf8)
            case .writtenWithItsFormerTime:
                let status = try #require(FileStatus(FilePath(file)))
                let descriptor = try FileDescriptor.open(FilePath(file), .writeOnly)
                try descriptor.writeAll("OLD".utf8)
                try descriptor.setTimes(of: status)
                try descriptor.close()
            case .replaced:
                try directory.add("mine", "old".utf8)
                #expect(rename(directory("mine"), file) == 0)
            case .replacedByALink:
                try directory.add("mine", "old".utf8)
                #expect(unlink(file) == 0 && symlink("mine", file) == 0)
            case .removed: #expect(unlink(file) == 0)
            }
        }
    }

    @Test(arguments: Change.allCases) func filesThatChangeMeanwhile(change: Change) throws {
        let state = try state("a")
        let file = try UnfinishedFile(path("a"), replacing: .only(state))
        try file.descriptor.writeAll(new)
        try change.happen(to: "a", in: directory)
        let before = try directory.contents()
        #expect(throws: TexelError.changed(path("a"))) { try file.install() }
        #expect(try directory.contents() == before)
        #expect(throws: TexelError.changed(path("a"))) { try UnfinishedFile(path("a"), replacing: .only(state)) }
    }

    /// After the check as well, unless size and time are the same.
    @Test(arguments: Change.allCases.filter { $0 != .writtenWithItsFormerTime })
    func filesThatChangeAtTheLastMoment(change: Change) throws {
        var before: [String: [UInt8]]?
        do {
            let file = try UnfinishedFile(path("a"), replacing: .only(state("a")))
            try file.descriptor.writeAll(new)
            #expect(throws: TexelError.changed(path("a"))) {
                try file.install {
                    #expect(throws: Never.self) {
                        try change.happen(to: "a", in: directory)
                        before = try directory.contents()
                    }
                }
            }
        }
        #expect(try directory.contents() == before)
    }

    @Test func unchangedFilesAreReplaced() throws {
        try AtomicFile.write(new, to: path("a"), replacing: .only(state("a")))
        #expect(try directory.contents() == ["a": new])
    }

    @Test func inputsStay() throws {
        try directory.add("sub/b", old)
        #expect(symlink("a", directory("link")) == 0 && link(directory("a"), directory("hard")) == 0)
        for overwrites in [false, true] {
            let replacement = Replacement(overwrites: overwrites, except: [path("a"), path("sub/b")])
            for name in ["a", "link", "hard", "sub/b", "sub/../a"] {
                #expect(throws: TexelError.isInput(path(name))) {
                    try AtomicFile.write(new, to: path(name), replacing: replacement)
                }
            }
        }
        #expect(try Set(directory.contents().values) == [old])
    }

    /// A file that appears under the name after the check.
    @Test func filesThatAppear() throws {
        let file = try UnfinishedFile(path("b"), replacing: .nothing)
        #expect(throws: TexelError.alreadyExists(path("b"))) {
            try file.install { #expect(throws: Never.self) { try directory.add("b", old) } }
        }
        #expect(try directory.contents() == ["a": old, "b": old])
    }

    // MARK: Links

    @Test(arguments: ["target", "sub/../target", "second"])
    func danglingLinksStayAndGetTheirTarget(target: String) throws {
        try directory.add("sub/b", old)
        #expect(symlink("target", directory("second")) == 0 && symlink(target, directory("link")) == 0)
        #expect(throws: TexelError.alreadyExists(path("link"))) {
            try AtomicFile.write(new, to: path("link"), replacing: .nothing)
        }
        try AtomicFile.write(new, to: path("link"), replacing: .anything)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory("link")) == target)
        #expect(try directory.bytes("target") == new)
    }

    @Test func linksThatLeadNowhere() throws {
        #expect(symlink("circle", directory("circle")) == 0 && symlink("none/target", directory("far")) == 0)
        #expect(throws: TexelError.cannotCreate(path("circle"), .tooManySymbolicLinkLevels)) {
            try AtomicFile.write(new, to: path("circle"), replacing: .anything)
        }
        #expect(throws: TexelError.cannotCreate(path("far"), .noSuchFileOrDirectory)) {
            try AtomicFile.write(new, to: path("far"), replacing: .anything)
        }
        #expect(path("circle").isLink && path("far").isLink)
    }

    // MARK: Folders

    /// The reason is that of the folder that could not be made, not of a later question about it.
    @Test(.enabled(if: FilePath("/sys/kernel").isDirectory)) func foldersThatCannotBeMade() {
        // Not even root makes folders here.
        let file = FilePath("/sys/kernel/texel-test/out/a.png")
        let errors: [() throws -> Void] = [
            { try AtomicFile.write(new, to: file, replacing: .nothing) },
            {
                try AtomicFile.write(
                    new, to: file, below: "/sys/kernel/texel-test", makesDirectories: true, replacing: .nothing)
            },
        ]
        for write in errors {
            let error = #expect(throws: TexelError.self) { try write() }
            guard let error, error.kind == .cannotCreate, let reason = error.errno else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect([.notPermitted, .permissionDenied, .readOnlyFileSystem].contains(reason))
        }
    }

    // MARK: Leftovers

    @Test func onlyUnlockedLeftoversAreRemoved() throws {
        let left = [".a.png.texel-12-34.unfinished", ".texel-1-4294967295.unfinished"]
        let kept = [
            ".a.texel-1-2", ".a.unfinished", ".a.texel-1-b.unfinished", "a.texel-1-2.unfinished", ".texel-manifest",
        ]
        for name in left + kept { try directory.add(name, old) }
        try directory.add(".tiles.texel-5-6.unfinished/1/x", old)
        let busy = try directory.add(".busy.texel-12-35.unfinished", old)
        let descriptor = try FileDescriptor.open(FilePath(busy), .readOnly)
        #expect(descriptor.takeLock())
        Leftovers.remove(in: FilePath(directory.path))
        #expect(try Set(directory.files()) == Set(kept + ["a", ".busy.texel-12-35.unfinished"]))
        try descriptor.close()
        Leftovers.remove(in: FilePath(directory.path))
        #expect(try Set(directory.files()) == Set(kept + ["a"]))
    }

    /// A file that this process still writes is not a leftover, whatever its name is.
    @Test func unfinishedFilesAreNoLeftovers() throws {
        let cached = try UnfinishedFile(path("b"), madeIn: FilePath(directory.path))
        let folder = try UnfinishedFolder(path("c"), below: FilePath(directory.path), replacing: false)
        try folder.write(new, to: "x")
        let before = try directory.files()
        #expect(before.count == 3)
        Leftovers.remove(in: FilePath(directory.path))
        #expect(try directory.files() == before)
        try cached.descriptor.writeAll(new)
        try cached.install(flushing: false)
        try folder.install {}
        #expect(try directory.contents() == ["a": old, "b": new, "c/x": new])
    }
}
