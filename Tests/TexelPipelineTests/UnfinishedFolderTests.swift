import Foundation
import SystemPackage
import TestSupport
import Testing

import TexelCore
@testable import TexelPipeline

/// Folders are complete or absent.
@Suite struct UnfinishedFolderTests {
    private let directory: TemporaryDirectory
    private let new = Array("new".utf8)

    init() throws { directory = try TemporaryDirectory() }

    private func folder(_ name: String, replacing: Bool = false) throws(TexelError) -> UnfinishedFolder {
        let root = FilePath(directory("root"))
        return try UnfinishedFolder(root.appending(name), below: root, replacing: replacing)
    }

    @Test func newFoldersAppearWhenInstalled() throws {
        let folder = try folder("deep/a")
        try folder.write(new, to: "1/x")
        try folder.write(new, to: "y")
        #expect(try directory.files().allSatisfy { $0.hasPrefix("root/deep/.a.texel-") })
        try folder.install {}
        #expect(try directory.contents() == ["root/deep/a/1/x": new, "root/deep/a/y": new])
        // A complete folder stays.
        folder.remove()
        #expect(try directory.files().count == 2)
    }

    @Test func foldersNotInstalledAreRemoved() throws {
        var folder: UnfinishedFolder? = try folder("a")
        try folder?.write(new, to: "1/2/x")
        folder = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory("root")) == [])
    }

    @Test func existingFoldersAreReplacedOnlyOnRequest() throws {
        try directory.add("root/a/old", new)
        let path = FilePath(directory("root/a"))
        #expect(throws: TexelError.alreadyExists(path)) { try folder("a") }
        let replacement = try folder("a", replacing: true)
        try replacement.write(new, to: "x")
        #expect(try directory.files().contains("root/a/old"))
        try replacement.install {}
        #expect(try directory.contents() == ["root/a/x": new])
    }

    /// A folder that appears meanwhile is not replaced.
    @Test func folderThatAppearsMeanwhile() throws {
        let folder = try folder("a")
        try folder.write(new, to: "x")
        try directory.add("root/a/other", new)
        #expect(throws: TexelError.alreadyExists(FilePath(directory("root/a")))) { try folder.install {} }
        folder.remove()
        #expect(try directory.files() == ["root/a/other"])
    }

    @Test func failedCompletionRestoresTheOldFolder() throws {
        try directory.add("root/a/old", new)
        let folder = try folder("a", replacing: true)
        try folder.write(new, to: "x")
        let failure = TexelError.cannotWrite("b", .noSpace)
        #expect(throws: failure) {
            try folder.install { () throws(TexelError) in
                #expect((try? directory.files())?.contains("root/a/x") == true)
                throw failure
            }
        }
        folder.remove()
        #expect(try directory.files() == ["root/a/old"])
    }

    /// Links are neither followed nor replaced, and removing a folder does not touch what links in it lead to.
    @Test func linksAreNeitherFollowedNorReplaced() throws {
        try directory.add("elsewhere/kept", new)
        try directory.add("root/a/old", new)
        try FileManager.default.createSymbolicLink(
            atPath: directory("root/link"), withDestinationPath: directory("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: directory("root/a/link"), withDestinationPath: directory("elsewhere"))
        #expect(throws: TexelError.isLink(FilePath(directory("root/link")))) { try folder("link", replacing: true) }
        #expect(throws: TexelError.isLink(FilePath(directory("root/link")))) { try folder("link/a") }
        try folder("a", replacing: true).install {}
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory("root/a")) == [])
        #expect(try directory.bytes("elsewhere/kept") == new)
    }
}
