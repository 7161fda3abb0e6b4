import Foundation
import TestSupport
import Testing
import Texel

/// A flag has an effect or is refused.
@Suite struct UnusedFlagTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.jpg", try Sample.jpeg())
        try workspace.add("b.png", try Sample.png())
    }

    @Test(arguments: [
        (["compress", "a.jpg", "--colors", "16"], "--colors has no effect on a JPEG; use --format png."),
        (["compress", "b.png", "--colors", "16", "-o", "c.jpg"], "--colors has no effect on a JPEG"),
        (["compress", "b.png", "--colors", "16", "-o", "{name}-c.jpg"], "--colors has no effect on a JPEG"),
        (
            ["compress", "a.jpg", "--near-lossless", "60"],
            "--near-lossless has no effect on a JPEG; use --format webp."
        ),
        (["compress", "b.png", "--alpha-quality", "60"], "--alpha-quality has no effect on a PNG; use --format webp."),
        (["compress", "b.png", "-f", "ppm", "--density", "72"], "--density has no effect on a "),
        (["compress", "b.png", "--progressive"], "--progressive has no effect on a PNG; use --format jpeg."),
        (["resize", "b.png", "--width", "8", "--baseline"], "--baseline has no effect on a PNG"),
        (["rotate", "b.png", "--angle", "90", "--subsampling=444"], "--subsampling has no effect on a PNG"),
        (["compress", "a.jpg", "-f", "png", "--progressive"], "--progressive has no effect on a PNG"),
        (["compress", "a.jpg", "--background", "transparent"], "--background must be opaque for a JPEG"),
        (["compress", "b.png", "-f", "jpeg", "--background", "#fff8"], "--background must be opaque for a JPEG"),
        (["compress", "a.jpg", "--quiet", "--json"], "--quiet prints errors and warnings only; leave out --json."),
        (["compress", "a.jpg", "--enlarge"], "--enlarge has no effect without --width, "),
        (["compress", "a.jpg", "--linear"], "--linear has no effect without a size, --blur, "),
        (
            ["rotate", "a.jpg", "--angle", "90", "--filter", "box"],
            "--filter has no effect without a size, an angle or a map"
        ),
        (["resize", "a.jpg", "--scale", "50%", "--fit", "cover"], "--fit has no effect without --width and --height"),
        (["resize", "a.jpg", "--width", "9", "--fit", "cover"], "--fit has no effect without --width and --height"),
        (["sheet", "a.jpg", "-o", "s.html", "--font", "serif"], "--font has no effect in a gallery"),
        (["sheet", "a.jpg", "-o", "s.html", "--columns", "3"], "--columns has no effect in a gallery"),
        (["sheet", "a.jpg", "-o", "s.png", "--thumbnails", "embedded"], "--thumbnails has no effect in a contact"),
        (
            ["sheet", "a.jpg", "-o", "s.png", "--no-captions", "--font", "serif"],
            "--font has no effect with --no-captions"
        ),
        (["watch", ".", "-o", "out", "--enlarge"], "--enlarge has no effect without --width, "),
        (["watch", ".", "-o", "out", "-f", "png", "--progressive"], "--progressive has no effect on a PNG"),
        (
            ["compress", "b.png", "--background", "red"],
            "--background has no effect on a PNG, which keeps transparent pixels; use --format jpeg."
        ),
        (["compress", "a.jpg", "b.png", "-f", "gif", "--background", "red"], "--background has no effect on a GIF"),
        (["compress", "b.png", "-o", "c.pam", "-f", "ppm", "--background", "red"], "--background has no effect on a "),
        (["resize", "b.png", "--width", "8", "--background", "red"], "--background has no effect on a PNG"),
        (["rotate", "b.png", "--angle", "180", "--background", "red"], "--background has no effect on a PNG"),
        (
            ["resize", "b.png", "--width", "8", "--height", "9", "--fit", "cover", "--background", "red"],
            "--background has no effect on a PNG"
        ),
        (["compress", "b.png", "-f", "ppm", "-q", "50"], "--quality has no effect on a "),
        (["compress", "b.png", "-f", "ppm", "--effort", "best"], "--effort has no effect on a "),
        (
            ["compress", "b.png", "-f", "ppm", "--color-profile", "display-p3"],
            "--color-profile has no effect on a P"
        ),
        (["compress", "b.png", "--min-gain", "5%"], "--min-gain has no effect on a PNG"),
        (["compress", "b.png", "-f", "tiff", "--subsampling", "420"], "--subsampling has no effect on a TIFF"),
        (["rotate", "b.png", "--flip", "h", "--trim-blocks"], "--trim-blocks has no effect on a PNG"),
        (["compress", "a.jpg", "--in-place", "--overwrite"], "--overwrite has no effect with --in-place"),
        (["compress", "a.jpg", "--in-place", "--skip-existing"], "--skip-existing has no effect with --in-place"),
        (["compress", "a.jpg", "-o", "-", "--keep-times"], "--keep-times has no effect on standard output."),
        (["compress", "a.jpg", "--recipe", "b.toml", "--no-recipe"], "Use either --recipe or --no-recipe, not both."),
        (["compare", "a.jpg", "b.png", "--overwrite"], "--overwrite has no effect without --heatmap."),
        (
            ["compare", "a.jpg", "b.png", "--heatmap-metric", "butteraugli"],
            "--heatmap-metric has no effect without --heatmap or --show."
        ),
        (["compare", "a.jpg", "b.png", "--columns", "9"], "--columns has no effect without --show."),
        (["tile", "b.png", "-o", "t", "--background", "red"], "--background has no effect on auto tiles, which keep"),
        (["tile", "b.png", "-o", "t", "-f", "webp", "--background", "red"], "--background has no effect on webp "),
        (["sheet", "a.jpg", "-o", "s.ppm", "-q", "50"], "--quality has no effect on "),
        (["sheet", "a.jpg", "-o", "s.ppm", "--effort", "best"], "--effort has no effect on "),
        (["frames", "b.png", "-o", "c%d.png", "--background", "red"], "--background has no effect on the output "),
        (["frames", "b.png", "-o", "c%d.png", "-q", "50"], "--quality has no effect on the output "),
        (["frames", "b.png", "-o", "c%d.png", "--subsampling", "444"], "--subsampling has no effect on the output "),
        (["frames", "b.png", "-o", "null", "--overwrite"], "--overwrite has no effect on the output null."),
        (
            ["frames", "b.png", "-o", "-", "--to", "bgra", "-q", "50"],
            "--quality has no effect on the output - (bgra)."
        ),
        (["frames", "b.png", "-o", "null", "--enlarge"], "--enlarge has no effect without --width, "),
    ])
    func flagsWithoutEffectAreRefused(arguments: [String], words: String) throws {
        let before = try workspace.directory.contents()
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 64 && outcome.text == "")
        #expect(outcome.errors.hasPrefix("Error: \(words)"), "\(outcome.errors)")
        #expect(try workspace.directory.contents() == before)
    }

    /// Where pixels are uncovered, or transparency is lost, the background has an effect.
    @Test(arguments: [
        ["compress", "b.png", "-f", "jpeg"], ["rotate", "b.png", "--angle", "10"],
        ["rotate", "b.png", "--yaw", "10"], ["rotate", "b.png", "--affine", "1,0.2,0,1"],
        ["resize", "b.png", "--width", "9", "--height", "9", "--fit", "contain"],
        ["compress", "a.jpg", "b.png"], ["compress", "b.png", "--round", "5", "-f", "jpeg"],
    ])
    func backgroundIsAcceptedWhereItShows(arguments: [String]) throws {
        let outcome = try workspace.run(arguments + ["--background", "red", "-o", "out/"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func flagsApplyToTheirOwnFormat() throws {
        let outcome = try workspace.texel(
            "compress", "a.jpg", "b.png", "--colors", "4", "--progressive", "-q", "50", "-o", "out")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.report("out/a.jpg").progressive)
        #expect(try Set(workspace.image("out/b.png").pixels).count <= 4)
    }

    /// The format of standard input is known after reading it.
    @Test func unusedFlagsOfStreamsAreRefused() throws {
        let jpeg = try workspace.texel("compress", "-", "--colors", "4", input: Sample.jpeg())
        #expect(jpeg.status == 65 && jpeg.output.isEmpty)
        #expect(jpeg.errors.contains("--colors has no effect on a JPEG"), "\(jpeg.errors)")
        #expect(try workspace.texel("compress", "-", "--colors", "4", input: Sample.png()).status == 0)
    }

    @Test func jobKeysWithoutEffectAreRefused() throws {
        let results = try workspace.work(
            ["input": "a.jpg", "output": "c.jpg", "colors": 16], ["input": "a.jpg", "output": "c.png", "colors": 16],
            ["input": "b.png", "output": "d.png", "background": "red"],
            ["input": "b.png", "output": "d.png", "scale": "50%", "fit": "cover"])
        #expect(results[0].status == "failed" && results[0].error?.contains("colors has no effect on a JPEG") == true)
        #expect(results[1].status == "written", "\(results[1])")
        #expect(results[2].error?.contains("background has no effect on a PNG") == true, "\(results[2])")
        #expect(results[3].error == "fit has no effect without width and height" && results[3].code == 64)
    }

    /// Flags in a recipe file are shared by many calls.
    @Test func unusedFieldsOfRecipesAreAccepted() throws {
        try workspace.add(
            "texel.toml", "colors = 16\nprogressive = true\nfit = \"cover\"\nlinear = true\nbackground = \"red\"".utf8)
        for name in ["a.jpg", "b.png"] { #expect(try workspace.texel("compress", name).status == 0) }
    }

    /// With --colors, as many colours as requested at any quality; fewer if they reach the quality.
    @Test(arguments: [5, 50, 95, 100]) func coloursAndQuality(quality: Int) throws {
        let noise = try PixelBuffer.noise(PixelSize(width: 64, height: 48), alphaMode: .opaque)
        try workspace.add("noise.png", try noise.encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.texel(
            "compress", "noise.png", "--colors", "16", "-q", "\(quality)", "-o", "few.png")
        #expect(outcome.status == 0 && !outcome.text.contains("kept"), "\(outcome.text)")
        #expect(try Set(workspace.image("few.png").pixels).count <= 16)
    }

    @Test func missingFontsAreReported() throws {
        try workspace.expectFailure(
            "sheet", "a.jpg", "-o", "s.png", "--font", "No Such Family", status: 66, naming: "s.png",
            saying: "no font family named No Such Family is installed; name one that fc-list lists")
        try workspace.expectFailure(
            "sheet", "a.jpg", "-o", "s.png", "--font", "none.ttf", status: 66, naming: "s.png", saying: "none.ttf")
        let outcome = try workspace.texel("sheet", "a.jpg", "-o", "s.png", "--font", "Monospace")
        // If no font is installed, there are no captions.
        #expect(outcome.status == 0 || outcome.errors.contains("no usable font is installed"), "\(outcome.errors)")
    }
}
