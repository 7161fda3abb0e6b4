import Foundation
import TestSupport
import Testing
import Texel

/// The effects of flags on images, read back through `texel info`.
@Suite struct RecipeFlagTests {
    private let workspace: Workspace

    /// 48 × 32 pixels.
    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png())
    }

    /// Different spellings of a value give the same bytes.
    @Test(arguments: [
        (["-q75", "-j1"], ["--quality", "75", "--jobs", "1"]), (["-w", "24"], ["--width", "24"]),
        (["--max-bytes", "0.9KB"], ["--max-bytes", "900"]), (["--timeout", "1m"], ["--timeout", "60"]),
        (["--timeout", "0.5h"], ["--timeout", "1800s"]), (["--quiet"], []),
        (["--angle", "10", "--background", "rebeccapurple"], ["--angle", "10", "--background", "#663399"]),
        (["--angle", "10", "--background", "MediumPurple"], ["--angle", "10", "--background", "#9370db"]),
        (["--angle", "10", "--background", "rgb(255, 128, 0)"], ["--angle", "10", "--background", "#ff8000"]),
        (["--angle", "10", "--background", "rgba(100% 0% 0% / 0.2)"], ["--angle", "10", "--background", "#f003"]),
    ])
    func waysToWriteValues(flags: [String], meaning: [String]) throws {
        for (name, flags) in [("b.png", flags), ("c.png", meaning)] {
            let outcome = try workspace.run(["compress", "a.png", "-o", name] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.isEmpty == flags.contains("--quiet"))
        }
        #expect(try workspace.bytes("b.png") == workspace.bytes("c.png"))
    }

    /// Errors and warnings are still printed.
    @Test func quietPrintsErrorsOnly() throws {
        let outcome = try workspace.texel("compress", "a.png", "none.png", "-o", "out", "--quiet")
        #expect(outcome.status == 1 && outcome.text == "")
        #expect(outcome.errors == "texel: none.png: no such file\n")
    }

    @Test(arguments: [
        (["--width", "96"], "96×64", "48×32"),
        (["--width", "96", "--height", "20", "--fit", "cover"], "96×20", "48×10"),
        (["--width", "96", "--height", "96", "--fit", "fill"], "96×96", "48×32"),
        (["--crop", "20x10", "--scale", "200%"], "40×20", "20×10"),
        (["--width", "96", "--enlarge"], nil, "96×64"), (["--width", "24"], nil, "24×16"),
    ])
    func linesNoteImagesSmallerThanRequested(flags: [String], asked: String?, made: String) throws {
        let outcome = try workspace.run(["resize", "a.png", "-o", "b.png"] + flags)
        #expect(outcome.status == 0 && outcome.text.contains("  \(made)  "), "\(outcome.text)")
        let note = asked.map { "  not enlarged to \($0) without --enlarge\n" }
        #expect(note.map(outcome.text.hasSuffix) ?? !outcome.text.contains("enlarge"), "\(outcome.text)")
    }

    @Test(arguments: [
        ([], "30x18"), (["--width", "15"], "15x9"), (["--crop", "10x10"], "10x10"), (["--angle", "90"], "18x30"),
        (["--trim-background", "white"], "30x18"), (["--trim-background", "black"], "40x32"),
        (["--trim-tolerance", "0"], "40x30"), (["--width", "10", "--json"], "10x6"),
    ])
    func bordersOfOneColorAreTrimmedFirst(flags: [String], size: String) throws {
        // A frame of white and, inside it, one of nearly white.
        let image = try PixelBuffer.make(width: 40, height: 32) { x, y in
            (5..<35).contains(x) && (7..<25).contains(y) ? 0xFF20_4060 : y < 2 ? 0xFFFF_FFFF : 0xFFF8_F8F8
        }
        try workspace.add("framed.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.run(["resize", "framed.png", "--trim", "-o", "b.png"] + flags)
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(try workspace.report("b.png").size == size)
    }

    /// The density is written whatever metadata are kept; alone, it leaves the pixel data as they are.
    @Test func densityIsWrittenWithoutChangingPixels() throws {
        for (name, factor) in [("b.jpg", 1.0), ("b.png", 1 / 0.0254)] {
            let made = try workspace.texel("compress", "a.png", "--density", "300", "-o", name, "--metadata", "none")
            #expect(made.status == 0, "\(made.errors)")
            #expect(try workspace.report(name).density?.x == (300 * factor).rounded())
            let outcome = try workspace.texel("resize", name, "--density", "65535", "--in-place", "--json")
            #expect(try ResultObject.all(in: outcome).first?.route == "passthrough")
            let density = try workspace.report(name).density
            #expect(density?.x == (65_535 * factor).rounded() && density?.y == density?.x)
        }
        #expect(try workspace.image("b.png") == workspace.image("a.png"))
    }

    #if TIFF
        @Test func densityOfATIFF() throws {
            #expect(try workspace.texel("compress", "a.png", "--density", "300", "-o", "b.tiff").status == 0)
            #expect(try workspace.report("b.tiff").density?.x == 300)
            let outcome = try workspace.texel("resize", "b.tiff", "--density", "72", "-o", "c.tiff", "--json")
            #expect(try ResultObject.all(in: outcome).first?.route == "passthrough", "\(outcome.errors)")
            #expect(try workspace.report("c.tiff").density?.x == 72)
            #expect(try workspace.image("c.tiff") == workspace.image("b.tiff"))
        }
    #endif

    @Test func nothingToTrim() throws {
        let image = try PixelBuffer(width: 9, height: 5, filledWith: 0xFF10_1010, alphaMode: .opaque)
        try workspace.add("plain.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.texel("resize", "plain.png", "--trim", "-o", "b.png")
        #expect(outcome.status == 0 && outcome.errors.contains("warning: nothing was trimmed"), "\(outcome.errors)")
        #expect(try workspace.bytes("b.png") == workspace.bytes("plain.png"))
        // One line says that images are not enlarged, of the size after the trim.
        let enlarged = try workspace.texel("resize", "a.png", "--trim", "--width", "96", "-o", "c.png")
        #expect(enlarged.status == 0 && enlarged.text.contains("not enlarged to 96×"), "\(enlarged.text)")
    }

    @Test(arguments: [
        (["--width", "24"], "24x16"),
        (["--height", "8"], "12x8"),
        (["--width", "20", "--height", "20"], "20x13"),
        (["--width", "20", "--height", "20", "--fit", "outside"], "30x20"),
        (["--width", "20", "--height", "20", "--fit", "cover"], "20x20"),
        (["--width", "20", "--height", "20", "--fit", "contain"], "20x20"),
        (["--width", "20", "--height", "20", "--fit", "fill"], "20x20"),
        (["--width", "96"], "48x32"),
        (["--width", "96", "--enlarge"], "96x64"),
        (["--scale", "50%"], "24x16"),
        (["--scale", "0.25"], "12x8"),
        (["--scale", "1/3"], "16x11"),
        (["--scale", "200%", "--enlarge"], "96x64"),
        (["--min-width", "24", "--min-height", "24"], "36x24"),
        (["--min-width", "20"], "20x13"),
        (["--crop", "20x10+3+4"], "20x10"),
        (["--crop", "20x10"], "20x10"),
        (["--crop", "20x10+3+4", "--width", "10"], "10x5"),
        (["--width", "24", "--filter", "mitchell", "--linear"], "24x16"),
        (["--width", "24", "--angle", "90"], "16x24"),
        (["--width", "24", "--flip", "v"], "24x16"),
    ])
    func resizeFlagsDecideTheSize(flags: [String], size: String) throws {
        let outcome = try workspace.run(["resize", "a.png", "-o", "b.png"] + flags)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.report("b.png").size == size, "\(flags)")
    }

    @Test func quarterTurnsAndFlipsAreExact() throws {
        let original = try workspace.image("a.png")
        let turns: [([String], PixelBuffer)] = [
            (["--angle", "90"], try original.oriented(.rotated90)),
            (["--angle", "-90"], try original.oriented(.rotated270)),
            (["--angle=-180"], try original.oriented(.rotated180)),
            (["--flip", "h"], try original.oriented(.flippedHorizontally)),
            (["--flip", "vertical", "--angle", "450"], try original.oriented(.flippedVertically).oriented(.rotated90)),
            (["--roll", "-90"], try original.oriented(.rotated270)),
        ]
        for (flags, expected) in turns {
            #expect(try workspace.run(["rotate", "a.png", "-o", "b.png", "--overwrite"] + flags).status == 0)
            expectPixelsEqual(try workspace.image("b.png"), expected, "\(flags)")
        }
    }

    @Test func affineMapsMovePixels() throws {
        let original = try workspace.image("a.png")
        func result(_ flags: String...) throws -> PixelBuffer {
            let outcome = try workspace.run(["rotate", "a.png", "-o", "b.png", "--overwrite"] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try workspace.image("b.png")
        }
        expectPixelsEqual(try result("--affine", "-1,0,0,1"), try original.oriented(.flippedHorizontally))
        expectPixelsEqual(try result("--affine", "0,-1,1,0"), try original.oriented(.rotated90))
        // With offsets, the size stays: the image moves by 3 to the right and 2 up.
        let moved = try result("--affine", "1,0,0,1,3,-2", "--background", "white")
        #expect(moved.size == original.size && moved[2, 0] == 0xFFFF_FFFF && moved[3, 0] == original[0, 2])
        #expect(moved[47, 29] == original[44, 31] && moved[47, 30] == 0xFFFF_FFFF)
        let part = try original.cropped(to: PixelRectangle(x: 3, y: 2, width: 10, height: 8))
        expectPixelsEqual(try result("--perspective", "3,2 13,2 13,10 3,10"), part)
        // The corners are those of the input, also if the result is cropped or resized.
        let sized = try result("--perspective", "3,2 13,2 13,10 3,10", "--crop", "4x4+1+1", "--angle", "90")
        expectPixelsEqual(
            sized, try part.cropped(to: PixelRectangle(x: 1, y: 1, width: 4, height: 4)).oriented(.rotated90))
        for (flags, words) in [
            (["--affine", "1,2,3"], "--affine"), (["--affine", "1,1,1,1"], "--affine"),
            (["--perspective", "0,0 9,9 0,9 9,0"], "--perspective"),
            (["--perspective", "0,0 9,0 9,9"], "--perspective"),
            (["--angle", "90", "--levels", "200,100"], "--levels"),
            (["--angle", "90", "--levels", "1,2,0"], "--levels"),
            (["--angle", "90", "--color-matrix", "1,0,0,0"], "--color-matrix"),
            (["--angle", "90", "--color-matrix", "9 0 0 0 0 1 0 0 0 0 1 0"], "--color-matrix"),
        ] {
            let outcome = try workspace.run(["rotate", "a.png", "-o", "b.png", "--overwrite"] + flags)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
        let job = #"{"input": "a.png", "output": "job.png", "affine": "-1,0,0,1", "levels": "0,255"}"#
        let worker = try workspace.run(["worker"], input: Array(job.utf8))
        #expect(worker.status == 0, "\(worker.text)")
        expectPixelsEqual(try workspace.image("job.png"), try original.oriented(.flippedHorizontally))
    }

    @Test func exactTurnsOfAJPEGMoveItsCoefficients() throws {
        try workspace.add("a.jpg", try Sample.jpeg(metadata: WrittenMetadata()))
        func route(_ flags: [String]) throws -> String {
            let outcome = try workspace.run(["rotate", "a.jpg", "--angle", "90", "--json", "--overwrite"] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try #require(try ResultObject.all(in: outcome).first?.route)
        }
        #expect(try route(["-o", "b.jpg"]) == "lossless-transform")
        let turned = try workspace.image("a.jpg").oriented(.rotated90)
        expectPixelsEqual(try workspace.image("b.jpg"), turned, tolerance: 5)
        #expect(try route(["-o", "b.jpg", "-q", "80"]) == "planar")
        #expect(try route(["-o", "b.png"]) == "buffered")
    }

    @Test func otherAnglesGiveEnclosingSizeAndAlpha() throws {
        let size = Sample.size
        let sizes: [([String], PixelSize)] = [
            (["--angle", "-30"], try size.rotated(by: 30)), (["--angle=7.25"], try size.rotated(by: 7.25)),
            (["--yaw", "-30"], try size.inPerspective(Rotation3D(yaw: -30, pitch: 0, roll: 0))),
            (["--pitch", "20.5", "--roll", "9"], try size.inPerspective(Rotation3D(yaw: 0, pitch: 20.5, roll: 9))),
        ]
        for (flags, expected) in sizes {
            #expect(try workspace.run(["rotate", "a.png", "-o", "b.png", "--overwrite"] + flags).status == 0)
            let report = try workspace.report("b.png")
            #expect(report.size == "\(expected.width)x\(expected.height)" && report.hasAlpha, "\(flags)")
        }
    }

    @Test func toneAndColour() throws {
        func pixel(_ flags: String...) throws -> UInt32 {
            let outcome = try workspace.run(["resize", "dot.png", "-o", "out.png", "--overwrite"] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try workspace.image("out.png")[0, 0]
        }
        try workspace.add(
            "dot.png",
            try PixelBuffer(width: 4, height: 4, filledWith: 0xFF40_8020, alphaMode: .opaque)
                .encoded(as: .png(PNGOptions(effort: .fast))))
        #expect(try pixel("--negate") == 0xFFBF_7FDF)
        #expect(try pixel("--brightness", "0.5") == 0xFF20_4010)
        // 0.2126 × 64 + 0.7152 × 128 + 0.0722 × 32
        #expect(try pixel("--greyscale") == 0xFF6B_6B6B)
        #expect(try pixel("--saturation", "0", "--negate") == 0xFF94_9494)
        #expect(try pixel("--threshold", "107") == 0xFFFF_FFFF)
        #expect(try pixel("--contrast", "0") == 0xFF80_8080)
        // (colour − 32) × 255 / 128
        #expect(try pixel("--levels", "32,160") == 0xFF40_BF00)
        #expect(try pixel("--levels", "0,255,2") == pixel("--gamma", "2"))
        #expect(try pixel("--color-matrix", "0,0,1,0 0,1,0,0 1,0,0,0") == 0xFF20_8040)
        #expect(try pixel("--color-matrix", "-1 0 0 1 0 -1 0 1 0 0 -1 1") == 0xFFBF_7FDF)
        #expect(try pixel("--curves-red", "0,255 255,0") == 0xFFBF_8020)
        let curves = try pixel("--curves-green", "0,255 255,0", "--curves-blue", "0,9", "--curves", "0,255 255,0")
        #expect(curves == 0xFFBF_80F6)
        #expect(try pixel("--exposure", "-20", "--width", "2") == 0xFF00_0000)
        let outcome = try workspace.run(["compress", "dot.png", "--sepia", "2"])
        #expect(outcome.status == 64 && outcome.errors.contains("--sepia 2.0 is not between 0 and 1"))
        let explained = try workspace.run(["resize", "dot.png", "--hue", "20", "--negate", "--explain"])
        let explanation = String(decoding: explained.output, as: UTF8.self)
        #expect(explanation.contains("then: hue 20°, negate"), "\(explanation)\(explained.errors)")
    }

    /// Which part of an image is kept, and what is refused.
    @Test func partsAndTables() throws {
        let original = try workspace.image("a.png")
        func result(_ flags: String...) throws -> PixelBuffer {
            let outcome = try workspace.run(["resize", "a.png", "-o", "out.png", "--overwrite"] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try workspace.image("out.png")
        }
        func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> PixelBuffer {
            try original.cropped(to: PixelRectangle(x: x, y: y, width: width, height: height))
        }
        expectPixelsEqual(try result("--crop", "20x10"), try part(14, 11, 20, 10))
        expectPixelsEqual(try result("--crop", "20x10", "--gravity", "southeast"), try part(28, 22, 20, 10))
        expectPixelsEqual(try result("--aspect", "1:1", "--gravity", "west"), try part(0, 0, 32, 32))
        #expect(try result("--aspect", "2:1", "--gravity", "attention").size == PixelSize(width: 48, height: 24))
        try workspace.add(
            "swap.cube", Array("LUT_3D_SIZE 2\n0 0 0\n0 0 1\n0 1 0\n0 1 1\n1 0 0\n1 0 1\n1 1 0\n1 1 1\n".utf8))
        let swapped = try result("--lut", "swap.cube")
        let (before, after) = (original.channels(5, 7), swapped.channels(5, 7))
        #expect(before[0] == after[2] && before[1] == after[1] && before[2] == after[0])
        try workspace.add("bad.cube", Array("LUT_3D_SIZE 2\n0 0\n".utf8))
        for (flags, words) in [
            (["--gravity", "west", "--width", "9"], "--gravity requires --crop"),
            (["--lut", "none.cube"], "--lut: none.cube: no such file"),
            (["--lut", "bad.cube"], "bad.cube: line 2: expected 3 values, found 2"),
            (["--curves", "9,9 3,3"], "--curves"), (["--aspect", "0:1"], "--aspect"),
        ] {
            let outcome = try workspace.run(["resize", "a.png", "-o", "out.png", "--overwrite"] + flags)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    /// Each command takes the operations of the others, and has the same result as they.
    @Test(arguments: [
        ["--flip", "h"], ["--crop", "20x10+3+3"], ["--greyscale"], ["--blur", "2"], ["--border", "2,red"],
        ["--text", "a"], ["--angle", "90"], ["--width", "9"], ["--density", "300"], ["--color-profile", "display-p3"],
    ])
    func everyOperationSuffices(flags: [String]) throws {
        for command in ["resize", "rotate"] {
            let outcome = try workspace.run([command, "a.png", "-o", "\(command).png"] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try workspace.bytes("resize.png") == workspace.bytes("rotate.png"))
    }

    @Test func rotationWithoutAngleAppliesTheOrientation() throws {
        try workspace.add("e.jpg", try Sample.jpeg(metadata: WrittenMetadata(exif: Sample.exif(orientation: 6))))
        let outcome = try workspace.texel("rotate", "e.jpg", "-o", "up.jpg")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try workspace.report("up.jpg")
        #expect(report.size == "32x48" && report.orientation == 1)
    }

    @Test func formatByExtension() throws {
        for format in [["-f", "extension"], []] {
            let outcome = try workspace.run(["compress", "a.png", "-o", "b.jpg", "--overwrite"] + format)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.info("b.jpg").format == .jpeg)
        }
        let jobs = try workspace.work(["input": "a.png", "output": "c.jpg", "format": "extension"])
        #expect(jobs[0].format == "jpeg")
        let tiles = try workspace.texel("tile", "a.png", "-o", "tiles", "-f", "auto")
        #expect(tiles.status == 0, "\(tiles.errors)")
    }

    @Test func backgroundFillsUncoveredPixels() throws {
        let flags = ["rotate", "a.png", "--angle", "45", "--background", "#f80"]
        #expect(try workspace.run(flags + ["-o", "b.png"]).status == 0)
        #expect(try workspace.image("b.png")[0, 0] == 0xFFFF_8800)
        #expect(try workspace.run(["rotate", "a.png", "--angle", "45", "-o", "white.jpg"]).status == 0)
        #expect(try workspace.image("white.jpg").channels(0, 0).allSatisfy { $0 >= 253 })

        let contain = ["resize", "a.png", "--width", "20", "--height", "20", "--fit", "contain"]
        #expect(try workspace.run(contain + ["-o", "c.png"]).status == 0)
        #expect(try workspace.image("c.png")[0, 0] == 0)
        #expect(try workspace.run(contain + ["--background", "navy", "-o", "d.png"]).status == 0)
        #expect(try workspace.image("d.png")[0, 0] == 0xFF00_0080)
    }

    @Test func alphaIntoJPEG() throws {
        try workspace.add(
            "clear.png",
            try PixelBuffer(width: 16, height: 16, filledWith: 0, alphaMode: .straight)
                .encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.texel("compress", "clear.png", "-o", "white.jpg")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: transparent pixels were composited over"), "\(outcome.errors)")
        #expect(try workspace.image("white.jpg")[8, 8] == 0xFFFF_FFFF)
        #expect(try workspace.texel("compress", "clear.png", "-o", "red.jpg", "--background", "red").status == 0)
        let red = try workspace.image("red.jpg").channels(8, 8)
        #expect(red[2] >= 252 && red[1] <= 3 && red[0] <= 3)
    }

    @Test func encodingFlagsDecideScansAndSubsampling() throws {
        try workspace.add("photo.png", try Sample.png(PixelSize(width: 64, height: 64)))
        let variants: [([String], progressive: Bool, subsampling: String)] = [
            // Such a small image is smallest with a single scan.
            ([], false, "4:2:0"), (["--baseline"], false, "4:2:0"), (["--effort", "fast"], false, "4:2:0"),
            (["--progressive"], true, "4:2:0"), (["-q", "98", "--progressive"], true, "4:2:0"),
            (["-q", "98", "--effort", "fast"], false, "4:4:4"),
            (["--subsampling", "422", "--progressive"], true, "4:2:2"),
        ]
        for (flags, progressive, subsampling) in variants {
            #expect(
                try workspace.run(["compress", "photo.png", "-f", "jpg", "-o", "b.jpg", "--overwrite"] + flags)
                    .status == 0)
            let report = try workspace.report("b.jpg")
            #expect(report.progressive == progressive && report.subsampling == subsampling, "\(flags)")
        }
    }

    // MARK: Metadata

    @Test(arguments: [
        ("none", false, false, false, false), ("color", true, false, false, false),
        ("privacy", true, true, false, false), ("all", true, true, true, true),
    ])
    func metadataPoliciesSelectFields(policy: String, density: Bool, date: Bool, place: Bool, comment: Bool) throws {
        let metadata = WrittenMetadata(
            exif: Sample.exif(orientation: 6), comments: [TextComment(bytes: Array("hello".utf8), encoding: .unknown)],
            density: PixelDensity(jfifUnit: 1, x: 300, y: 200))
        try workspace.add("a.jpg", try Sample.jpeg(metadata: metadata))
        #expect(
            try workspace.texel("resize", "a.jpg", "--width", "16", "--metadata", policy, "-o", "b.jpg").status == 0)
        let report = try workspace.report("b.jpg")
        #expect(report.size == "16x24" && report.orientation == 1)
        #expect((report.density != nil) == density)
        // The image was turned by 90°, and so was its density.
        if let found = report.density { #expect(found.x == 200 && found.y == 300) }
        #expect((report.exif?.date == "2024:01:02 03:04:05") == date)
        #expect((report.exif?.hasGPS ?? false) == place)
        #expect(report.comments.isEmpty != comment)
    }

    @Test(arguments: ["none", "color", "privacy", "all"], ["jpg", "png"])
    func orientationIsKeptOnDemand(policy: String, format: String) throws {
        try workspace.add("a.jpg", try Sample.jpeg(metadata: WrittenMetadata(exif: Sample.exif(orientation: 6))))
        let outcome = try workspace.texel(
            "resize", "a.jpg", "--width", "24", "--no-auto-orient", "--metadata", policy, "-o", "b.\(format)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try workspace.report("b.\(format)")
        #expect(report.size == "24x16" && report.orientation == 6 && report.displayWidth == 16)
    }
}
