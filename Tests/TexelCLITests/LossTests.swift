import Foundation
import TestSupport
import Testing
import Texel

/// Contents beyond the 8-bit pixels of one image are kept, or a message reports their loss.
@Suite struct LossTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("deep.png", try TestFolders.testImage("rgba-16-bit.png"))
        let images = try (0..<3).map { try PixelBuffer.noise(PixelSize(width: 24, height: 16), seed: UInt64($0)) }
        try workspace.add("moving.png", try MovingPNG.bytes(images))
    }

    @Test func compressingInPlaceKeepsSixteenBits() throws {
        let before = try workspace.bytes("deep.png")
        let outcome = try workspace.texel("compress", "deep.png", "--in-place", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let result = try #require(try ResultObject.all(in: outcome).first)
        #expect(result.warnings == [] && result.route == "recompress")
        #expect(try workspace.info("deep.png").bitDepth == 16)
        #expect(try workspace.bytes("deep.png").count <= before.count)
    }

    @Test func eightBitsAreAWarning() throws {
        let outcome = try workspace.texel("resize", "deep.png", "--width", "20", "-o", "small.png", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try ResultObject.all(in: outcome).first?.warnings == ["16 bits per sample were reduced to 8"])
        let human = try workspace.texel("rotate", "deep.png", "--angle", "90", "-o", "turned.png")
        #expect(human.status == 0)
        #expect((human.text + human.errors).contains("16 bits per sample were reduced to 8"))
    }

    @Test func eightBitsAreDithered() throws {
        let dithered = try workspace.texel("compress", "deep.png", "--angle", "90", "-o", "a.png", "--dither", "--json")
        let warnings = ["16 bits per sample were reduced to 8, with dithering"]
        #expect(try ResultObject.all(in: dithered).first?.warnings == warnings, "\(dithered.errors)")
        #expect(try workspace.texel("compress", "deep.png", "--angle", "90", "-o", "b.png").status == 0)
        #expect(try workspace.image("a.png") != workspace.image("b.png"))
        #expect(try workspace.image("a.png").largestDifference(from: workspace.image("b.png")) == 1)
    }

    @Test func animationsStayWholeInPlace() throws {
        let outcome = try workspace.texel("compress", "moving.png", "--in-place")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.info("moving.png").frameCount == 3)
    }

    @Test func allFramesAreProcessed() throws {
        for arguments in [
            ["resize", "moving.png", "--width", "9", "-o", "a.png"],
            ["rotate", "moving.png", "--angle", "90", "-o", "b.png"],
            ["resize", "moving.png", "--width", "9,12", "-o", "{name}-{width}.png"],
        ] {
            let outcome = try workspace.run(arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        for name in ["a.png", "b.png", "moving-9.png", "moving-12.png"] {
            #expect(try workspace.info(name).frameCount == 3, "\(name)")
        }
    }

    @Test func flatteningAnAnimationIsRefused() throws {
        for arguments in [
            ["compress", "moving.png", "-o", "a.jpg"],
            ["resize", "moving.png", "--width", "9,12", "-f", "jpeg", "-o", "out"],
            ["compress", "moving.png", "-o", "a.jpg", "--dry-run"],
        ] {
            let before = try workspace.directory.contents()
            let outcome = try workspace.run(arguments)
            #expect(outcome.status != 0, "\(arguments)")
            #expect(outcome.errors.contains("animation of 3 frames"), "\(outcome.errors)")
            #expect(outcome.errors.contains("--frame"), "\(outcome.errors)")
            #expect(try workspace.directory.contents().filter { !$0.key.hasSuffix(".texel-manifest") } == before)
        }
    }

    @Test func aFrameIsChosen() throws {
        var pixels: [[UInt32]] = []
        for frame in 0..<3 {
            let outcome = try workspace.texel("compress", "moving.png", "--frame", "\(frame)", "-o", "\(frame).png")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.info("\(frame).png").frameCount == 1)
            pixels.append(try workspace.image("\(frame).png").pixels)
        }
        #expect(Set(pixels).count == 3)
        try workspace.expectFailure(
            "compress", "moving.png", "--frame", "3", "-o", "3.png", status: 65, naming: "moving.png",
            saying: "frame 3 does not exist; the file has frames 0 to 2")
        // Frame 0 of a still image is the image.
        #expect(try workspace.texel("resize", "deep.png", "--width", "9", "--frame", "0", "-o", "0.jpg").status == 0)
        try workspace.expectUsageError("compress", "deep.png", "--frame", "-1", saying: "--frame")
    }
}

/// A JPEG is never encoded again silently, and file attributes are kept.
@Suite struct LossyLossTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        let image = try PixelBuffer.smooth(PixelSize(width: 64, height: 40))
        try workspace.add("a.jpg", try image.encoded(as: .jpeg(JPEGOptions(quality: 95, effort: .fast))))
    }

    @Test func turningSaysThatItEncodes() throws {
        let odd = try PixelBuffer.smooth(PixelSize(width: 64, height: 41))
        try workspace.add("odd.jpg", try odd.encoded(as: .jpeg(JPEGOptions(quality: 95, effort: .fast))))
        let outcome = try workspace.texel("rotate", "odd.jpg", "--angle", "180", "-o", "b.jpg")
        #expect(outcome.status == 0)
        let reason = "the bottom edge as stored, at 41, is not aligned to 8 pixels"
        #expect(
            outcome.errors == "texel: odd.jpg: warning: encoded again at its own quality (about 95): \(reason)\n")
        #expect(try workspace.info("b.jpg").chromaSubsampling == "4:4:4")
        try workspace.expectFailure(
            "rotate", "odd.jpg", "--angle", "180", "--perfect", "-o", "c.jpg", status: 69, naming: "odd.jpg",
            saying: "cannot be done without loss: the bottom edge as stored, at 41")
        let trimmed = try workspace.texel(
            "rotate", "odd.jpg", "--angle", "180", "--trim-blocks", "-o", "c.jpg", "--json")
        let result = try #require(try ResultObject.all(in: trimmed).first)
        #expect(result.height == 40 && result.route == "lossless-transform")
        #expect(result.warnings == ["partial blocks were cut off: 64×41 became 64×40"])
    }

    /// The video of a motion photo and a gain map are not lost in place.
    @Test(arguments: [("video", "GCamera:MotionPhoto=\"1\""), ("gain map", "hdrgm:Version=\"1.0\"")])
    func attachmentsInPlace(name: String, sign: String) throws {
        let xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><x \(sign)/></x:xmpmeta>".utf8)
        try workspace.add("live.jpg", try Sample.jpeg(metadata: WrittenMetadata(xmp: xmp)))
        let before = try workspace.bytes("live.jpg")
        for arguments in [["compress", "-q", "20"], ["resize", "--width", "9"], ["rotate", "--angle", "90"]] {
            try workspace.expectFailure(
                arguments[0], "live.jpg", arguments[1], arguments[2], "--in-place", status: 65, naming: "live.jpg",
                saying: "the result would lose the additional \(name) of the file; write another file with -o, or")
        }
        let other = try workspace.texel("resize", "live.jpg", "--width", "9", "-o", "other.jpg")
        #expect(other.status == 0 && other.errors.contains("the additional \(name) was dropped"), "\(other.errors)")
        let kept = try workspace.texel("compress", "live.jpg", "--in-place", "--metadata", "all", "--lossless")
        #expect(kept.status == 0, "\(kept.errors)")
        try workspace.add("live.jpg", before)
        let still = try workspace.texel("compress", "live.jpg", "-q", "20", "--in-place", "--page", "1")
        #expect(still.status == 0 && still.errors.contains("\(name) was dropped"), "\(still.errors)")
    }

    @Test func losslessKeepsQualityAndRefusesLossyFlags() throws {
        let outcome = try workspace.texel("compress", "a.jpg", "--lossless", "--in-place", "--json")
        let result = try #require(try ResultObject.all(in: outcome).first)
        #expect(result.route == "recompress" && result.outputBytes < result.inputBytes)
        try workspace.expectUsageError("compress", "a.jpg", "--lossless", "-q", "50", saying: "--lossless")
        try workspace.expectUsageError("compress", "a.jpg", "--perfect", saying: "--perfect")
        try workspace.expectUsageError(
            "rotate", "a.jpg", "--angle", "90", "--trim-blocks", "-q", "5", saying: "--trim-blocks")
    }

    /// A link that the user named stays a link; its target is replaced.
    @Test func linksInPlace() throws {
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory("link.jpg"), withDestinationPath: "a.jpg")
        let before = try workspace.bytes("a.jpg")
        #expect(try workspace.texel("compress", "link.jpg", "--in-place", "-q", "20").status == 0)
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: workspace.directory("link.jpg"))
        #expect(target == "a.jpg")
        #expect(try workspace.bytes("a.jpg").count < before.count)
    }

    @Test func timesAndGains() throws {
        let written = Date(timeIntervalSince1970: 1_000_000_000)
        let file = workspace.directory("a.jpg")
        try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: file)
        #expect(try workspace.texel("compress", "a.jpg", "--in-place", "--keep-times", "-q", "20").status == 0)
        let times = try FileManager.default.attributesOfItem(atPath: file)
        #expect(times[.modificationDate] as? Date == written)
        // A lower quality saves more than the default 2 %, but not 90 %.
        let before = try workspace.image("a.jpg")
        let arguments = ["compress", "a.jpg", "-q", "5", "-o", "b.jpg", "--overwrite"]
        #expect(try workspace.run(arguments + ["--min-gain", "90%"]).status == 0)
        expectPixelsEqual(try workspace.image("b.jpg"), before)
        #expect(try workspace.run(arguments).status == 0)
        #expect(try workspace.image("b.jpg") != before)
        try workspace.expectUsageError("compress", "a.jpg", "--min-gain", "101", saying: "--min-gain")
    }
}
