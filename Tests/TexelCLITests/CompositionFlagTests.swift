import Foundation
import TestSupport
import Testing
import Texel

/// Flags that lay images over others and add borders around them.
@Suite struct CompositionFlagTests {
    private let workspace: Workspace
    private static let green: UInt32 = 0xFF00_FF00
    private static let red: UInt32 = 0xFFFF_0000

    /// A green image of 8 × 6 pixels, and a red one of 2 × 2.
    init() throws {
        workspace = try Workspace()
        try workspace.add("green.png", try Self.file(8, 6, Self.green))
        try workspace.add("red.png", try Self.file(2, 2, Self.red))
    }

    private static func file(_ width: Int, _ height: Int, _ pixel: UInt32) throws -> [UInt8] {
        try PixelBuffer(width: width, height: height, filledWith: pixel, alphaMode: .straight)
            .encoded(as: .png(PNGOptions(effort: .fast)))
    }

    private func result(_ flags: String...) throws -> PixelBuffer { try result(flags) }

    private func result(_ flags: [String]) throws -> PixelBuffer {
        let outcome = try workspace.run(["compress", "green.png", "-o", "out.png", "--overwrite"] + flags)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try workspace.image("out.png")
    }

    @Test func overlayFlagsPlaceScaleAndBlend() throws {
        let corner = try result("--overlay", "red.png", "--overlay-gravity", "southeast", "--overlay-offset", "1,0")
        for y in 0..<6 {
            for x in 0..<8 { #expect(corner[x, y] == ((5...6).contains(x) && y >= 4 ? Self.red : Self.green)) }
        }
        let outside = try result("--overlay", "red.png", "--overlay-gravity", "northwest", "--overlay-offset", "-1,-1")
        #expect(outside[0, 0] == Self.red && outside[1, 0] == Self.green && outside[0, 1] == Self.green)
        let half = try result("--overlay", "red.png", "--overlay-scale", "50%", "--overlay-opacity", "0.5")
        #expect(half[2, 1] == 0xFF80_7F00 && half[5, 4] == 0xFF80_7F00 && half[1, 1] == Self.green)
        let tiled = try result("--overlay", "red.png", "--overlay-tile", "--overlay-spacing", "1")
        #expect((0..<8).count { tiled[$0, 2] == Self.red } == 6)
        let multiplied = try result("--overlay", "red.png", "--overlay-scale", "100%", "--overlay-blend", "multiply")
        #expect(multiplied[4, 3] == 0xFF00_0000)
    }

    /// Half of red and half of green light, instead of half of the stored values.
    @Test func linearFlagBlendsLinearLight() throws {
        let half = ["--overlay", "red.png", "--overlay-scale", "100%", "--overlay-opacity", "0.5", "--linear"]
        #expect(try result(half)[4, 3] == 0xFFBC_BC00)
        try workspace.add("stripes.png", Self.stripes.encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.run(["compress", "stripes.png", "-o", "blurred.png", "--blur", "3", "--linear"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.image("blurred.png")[20, 10] == 0xFFBC_BCBC)
        let text = ["--text", "M", "--text-opacity", "0.5", "--text-size", "40", "--text-color", "red"]
        #expect(try result(text).pixels.contains(0xFF80_7F00))
        #expect(try result(text + ["--linear"]).pixels.contains(0xFFBC_BC00))
    }

    private static var stripes: PixelBuffer {
        get throws { try .make(width: 40, height: 20) { x, _ in x % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF } }
    }

    @Test(arguments: ["overlay", "mask"]) func unusedFramesOfFlagFilesCauseWarnings(flag: String) throws {
        let images = try [Self.red, Self.green].map {
            try PixelBuffer(width: 8, height: 6, filledWith: $0, alphaMode: .straight)
        }
        try workspace.add("moving.png", try MovingPNG.bytes(images))
        let warning = "only the first of 2 frames of the \(flag) moving.png is used"
        let outcome = try workspace.texel("compress", "green.png", "--\(flag)", "moving.png", "-o", "a.jpg", "--json")
        #expect(try ResultObject.all(in: outcome).first?.warnings.contains(warning) == true, "\(outcome.text)")
        let results = try workspace.work(["input": "green.png", flag: "moving.png", "output": "b.jpg"])
        #expect(results.first?.warnings?.contains(warning) == true, "\(results)")
        let frames = try workspace.texel("frames", "green.png", "--\(flag)", "moving.png", "-o", "c%d.png")
        #expect(frames.status == 0 && frames.errors.contains("warning: \(warning)"), "\(frames.errors)")
    }

    /// A mask of another aspect ratio is stretched, which its author may not expect.
    @Test func stretchedMasksCauseAWarning() throws {
        let warning = "the mask of 2×2 was stretched to 8×6, without its aspect ratio"
        let outcome = try workspace.texel("compress", "green.png", "--mask", "red.png", "-o", "a.jpg", "--json")
        // A red mask is neither white nor black.
        #expect(try ResultObject.all(in: outcome).first?.warnings.contains(warning) == true, "\(outcome.text)")
        try workspace.add("same.png", try Self.file(4, 3, Self.red))
        let same = try workspace.texel("compress", "green.png", "--mask", "same.png", "-o", "b.jpg", "--json")
        #expect(!same.text.contains("stretched"), "\(same.text)")
    }

    @Test func masksAndCorners() throws {
        try workspace.add("half.png", try Self.file(1, 1, 0x8000_0000))
        #expect(try result("--mask", "half.png")[3, 3] == 0x8000_FF00)
        let round = try result("--round", "3")
        #expect(round[0, 0] >> 24 < 64 && round[4, 3] == Self.green)
        #expect(try result("--round", "circle")[0, 3] >> 24 == 0)
        #expect(try result("--round", "50%") == result("--round", "3"))
    }

    @Test func bordersAndShadows() throws {
        let border = try result("--border", "2,red")
        #expect(border.size == PixelSize(width: 12, height: 10))
        #expect(border[1, 1] == Self.red && border[2, 2] == Self.green)
        let extended = try result("--extend", "1,0,0,2", "--extend-with", "edge")
        #expect(extended.size == PixelSize(width: 10, height: 7) && extended[0, 0] == Self.green)
        #expect(try result("--extend", "1")[0, 0] == 0xFFFF_FFFF)
        #expect(try result("--extend", "3,4", "--extend-with", "blur").size == PixelSize(width: 16, height: 12))
        let shadow = try result("--shadow", "0,1,1", "--shadow-color", "red")
        #expect(shadow.size == PixelSize(width: 9, height: 7))
        #expect(shadow[8, 6] == Self.red && shadow[7, 5] == Self.green && shadow[8, 0] >> 24 == 0)
    }

    /// The border surrounds what the overlay is laid over, and the corners of both are rounded.
    @Test func bordersSurroundOverlaysAndCornersAreRoundedLast() throws {
        let image = try result("--round", "1", "--border", "1,red", "--overlay", "red.png", "--overlay-scale", "100%")
        #expect(image.size == PixelSize(width: 10, height: 8))
        #expect(image[5, 4] == Self.red && image[0, 0] >> 24 < 255)
    }

    @Test(arguments: [
        (["--overlay-opacity", "0.5"], 64, "--overlay-opacity requires --overlay"),
        (["--overlay", "none.png"], 66, "none.png: no such file"),
        (["--overlay", ""], 64, "--overlay is empty"),
        (["--overlay", "red.png", "--overlay-blend", "add"], 64, "--overlay-blend"),
        (["--overlay", "red.png", "--overlay-offset", "3"], 64, "--overlay-offset"),
        (["--overlay", "red.png", "--overlay-scale", "1001%"], 64, "--overlay-scale is more than 1000%"),
        (["--mask", "words.txt"], 65, "words.txt: "),
        (["--round", "51%"], 64, "--round"), (["--border", "3,nothing"], 64, "--border"),
        (["--extend", "1,2,3"], 64, "--extend"), (["--shadow", "3,1"], 64, "--shadow"),
    ])
    func invalidCompositionsAreRefused(flags: [String], status: Int32, words: String) throws {
        try workspace.add("words.txt", Array("no image".utf8))
        let outcome = try workspace.run(["compress", "green.png", "-o", "out.png"] + flags)
        #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(try !workspace.files().contains("out.png"))
    }

    /// A job that names an image that does not exist fails alone.
    @Test func jobsWithMissingOverlaysFailAlone() throws {
        let results = try workspace.work(
            ["input": "green.png", "output": "a.png", "overlay": "none.png"],
            ["input": "green.png", "output": "b.png", "overlayTile": true],
            ["input": "green.png", "output": "c.png", "mask": "red.png"])
        #expect(results.map(\.code) == [66, 64, 0])
        #expect(results[0].error == "none.png: no such file")
        #expect(results[1].error == "overlayTile requires overlay")
    }

    @Test func overlaysAndBordersUseTheOutputProfile() throws {
        let wide = try result("--color-profile", "display-p3", "--border", "1,red")
        #expect(wide.colorSpace.name == "Display P3" && wide[0, 0] == Self.red && wide[1, 1] != Self.green)
        try workspace.add("wide.png", try workspace.bytes("out.png"))
        let overlaid = try result("--color-profile", "display-p3", "--overlay", "red.png", "--overlay-scale", "100%")
        let red = try overlaid.convertedToSRGB().channels(4, 3)
        #expect(red[2] >= 253 && red[1] <= 3 && red[0] <= 3 && overlaid[4, 3] != Self.red)
        #expect(try workspace.run(["resize", "wide.png", "--width", "5", "--color-profile", "srgb"]).status == 0)
        #expect(try workspace.image("wide-texel.png").colorSpace == .sRGB)
        try workspace.add("words.icc", Array("words".utf8))
        for (flags, words) in [
            (["--color-profile", "none.icc"], "--color-profile: none.icc: no such file"),
            (["--color-profile", "words.icc"], "words.icc: the file is not an ICC profile of RGB colours"),
            (["--color-profile", "display-p3", "--metadata", "none"], "--metadata none stores no profile"),
        ] {
            let outcome = try workspace.run(["compress", "green.png", "-o", "refused.png"] + flags)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func framesAreComposed() throws {
        let outcome = try workspace.run([
            "frames", "pattern:16x12", "--frames", "1", "-o", "frame.png", "--overlay", "red.png", "--border", "1,red",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let frame = try workspace.image("frame.png")
        let map = ["frames", "pattern:16x12", "--frames", "1", "-o", "map.png", "--perspective", "0,0 8,0 8,6 0,6"]
        #expect(try workspace.run(map).status == 0)
        #expect(try workspace.image("map.png").size == PixelSize(width: 8, height: 6))
        #expect(frame.size == PixelSize(width: 18, height: 14) && frame[0, 0] == Self.red && frame[8, 6] == Self.red)
    }
}
