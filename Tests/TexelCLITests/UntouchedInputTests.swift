import Foundation
import TestSupport
import Testing
import Texel

/// Commands that only read leave their inputs as they are, and those that write elsewhere too.
@Suite struct UntouchedInputTests {
    private static let calls: [[String]] = [
        ["info", "in", "-r", "--analyze"], ["show", "in", "-r", "--rows", "2"], ["duplicates", "in", "-r"],
        ["compare", "in/a.jpg", "in/b.png", "--heatmap", "map.png"],
        ["sheet", "in", "-r", "-o", "s.png", "--no-captions"],
        ["sheet", "in", "-r", "-o", "s.html", "--thumbnails", "beside"], ["tile", "in", "-r", "-o", "t"],
        ["compress", "in", "-r", "-o", "out", "--overwrite", "--report", "r.html"],
        ["resize", "in", "-r", "--width", "5,6", "-o", "out", "--resume", "--keep-times"],
        ["rotate", "in", "-r", "--angle", "90"], ["compress", "in", "-r", "--in-place", "--dry-run"],
        ["frames", "in/a.jpg", "--frames", "2", "-o", "f-%d.png"],
    ]

    private struct State: Equatable {
        let bytes: [UInt8]
        let number: Int?
        let modified: Date?
        let permissions: Int?

        init(_ path: String) throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            number = attributes[.systemFileNumber] as? Int
            modified = attributes[.modificationDate] as? Date
            permissions = attributes[.posixPermissions] as? Int
        }
    }

    @Test(arguments: calls) func inputsAreNotModified(arguments: [String]) throws {
        let workspace = try Workspace()
        try workspace.add("in/a.jpg", try Sample.jpeg())
        try workspace.add("in/b.png", try Sample.png())
        try workspace.add("in/deep/c.jpg", try Sample.jpeg(quality: 70))
        let names = ["in/a.jpg", "in/b.png", "in/deep/c.jpg"].map { workspace.directory($0) }
        for name in names { try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: name) }
        let before = try names.map { try State($0) }
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try names.map { try State($0) } == before)
    }
}
