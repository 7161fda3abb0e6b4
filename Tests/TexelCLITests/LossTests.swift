import Foundation
import TestSupport
import Testing
import Texel

/// What a file holds beyond 8-bit pixels of one image is kept, or the program says that it is not.
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

    @Test func animationsStayWholeInPlace() throws {
        let outcome = try workspace.texel("compress", "moving.png", "--in-place")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.info("moving.png").frameCount == 3)
    }

    @Test func flatteningAnAnimationIsRefused() throws {
        for arguments in [
            ["compress", "moving.png", "-o", "a.jpg"], ["resize", "moving.png", "--width", "9", "--in-place"],
            ["rotate", "moving.png", "--angle", "90"], ["resize", "moving.png", "--width", "9,12", "-o", "out"],
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
            pixels.append(try workspace.picture("\(frame).png").pixels)
        }
        #expect(Set(pixels).count == 3)
        try workspace.expectFailure(
            "compress", "moving.png", "--frame", "3", "-o", "3.png", status: 65, naming: "moving.png",
            saying: "it has no frame 3: its frames are 0 to 2")
        // Frame 0 of a still image is the image.
        #expect(try workspace.texel("resize", "deep.png", "--width", "9", "--frame", "0", "-o", "0.jpg").status == 0)
        try workspace.expectUsageError("compress", "deep.png", "--frame", "-1", saying: "--frame")
    }
}
