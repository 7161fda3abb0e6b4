import Foundation
import TestSupport
import Testing

/// Every command that uses the pixels of an image says if its colour profile cannot be used.
@Suite struct ColorWarningTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        var bytes = try TestFolders.testImage("wide-gamut-profile.jpg")
        // Without the curves of red, green and blue, the profile is useless.
        for place in bytes.indices where bytes[place...].starts(with: Array("TRC".utf8)) {
            bytes[place - 1] = UInt8(ascii: "x")
        }
        try workspace.add("in/broken.jpg", bytes)
        // The same image without a profile: no segment has this name.
        for place in bytes.indices where bytes[place...].starts(with: Array("ICC_PROFILE".utf8)) {
            bytes[place] = UInt8(ascii: "x")
        }
        try workspace.add("in/sound.jpg", bytes)
    }

    private static let sentence = "the colour profile is damaged or truncated and was ignored"

    @Test(arguments: [
        ["compare", "in/broken.jpg", "in/sound.jpg"], ["compare", "in/sound.jpg", "in/broken.jpg"],
        ["duplicates", "in/broken.jpg", "in/sound.jpg"],
        ["sheet", "in/sound.jpg", "in/broken.jpg", "-o", "sheet.png", "--no-captions"],
        ["sheet", "in/sound.jpg", "in/broken.jpg", "-o", "page.html"],
        ["compress", "in/sound.jpg", "-o", "a.jpg", "--overlay", "in/broken.jpg"],
        ["compress", "in/sound.jpg", "-o", "b.jpg", "--overlay", "in/sound.jpg", "--mask", "in/broken.jpg"],
        ["tile", "in/broken.jpg", "-o", "tiles"], ["resize", "in/broken.jpg", "--width", "10", "-o", "c.jpg"],
    ])
    func brokenProfilesAreWarnedOfOnce(arguments: [String]) throws {
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.errorLines.filter { $0.contains(Self.sentence) }
        #expect(lines.count == 1 && lines[0].contains("broken.jpg"), "\(outcome.errors)")
        let json = try workspace.run(arguments + ["--json", "--overwrite"].prefix(Self.replaces(arguments[0]) ? 2 : 1))
        #expect(json.status == 0, "\(json.errors)")
        #expect(json.text.components(separatedBy: Self.sentence).count == 2, "\(json.text)")
    }

    @Test func showWarns() throws {
        let outcome = try workspace.run(["show", "in/sound.jpg", "in/broken.jpg"])
        #expect(outcome.status == 0)
        #expect(outcome.errorLines == ["texel: in/broken.jpg: warning: \(Self.sentence)"])
    }

    private static func replaces(_ command: String) -> Bool { !["compare", "duplicates"].contains(command) }
}
