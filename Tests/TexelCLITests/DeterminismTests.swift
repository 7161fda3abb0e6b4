import TestSupport
import Testing
import Texel

/// The same input and recipe give the same bytes on every CPU level and with any number of workers.
@Suite struct DeterminismTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        let size = PixelSize(width: 61, height: 47)
        for index in 0..<6 {
            try workspace.add(
                "in/\(index).png",
                try PixelBuffer.noise(size, seed: UInt64(index))
                    .encoded(as: .png(PNGOptions(effort: .fast))))
            try workspace.add("in/\(index).jpg", try Sample.jpeg(size))
        }
    }

    private func outputs(_ flags: [String], environment: [String: String] = [:]) throws -> [String: [UInt8]] {
        let fresh = try TemporaryDirectory()
        let arguments = ["resize", "in", "-r", "-o", fresh.path] + flags
        let outcome = try workspace.run(arguments, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let contents = try fresh.contents()
        #expect(contents.count == 12)
        return contents
    }

    private static let recipes = [
        ["--width", "23"], ["--width", "23", "--linear", "--filter", "mitchell", "-f", "png"],
        ["--scale", "50%", "--angle", "7.5", "-f", "png", "--background", "red"],
    ]

    @Test(arguments: recipes) func numberOfWorkersDoesNotChangeOutputs(recipe: [String]) throws {
        let one = try outputs(recipe + ["-j", "1"])
        #expect(try outputs(recipe + ["-j", "7"]) == one)
        #expect(try outputs(recipe + ["-j", "3", "--memory", "1KB"]) == one)
    }

    @Test(arguments: recipes) func outputsAreEqualAtEveryProcessorLevel(recipe: [String]) throws {
        let baseline = try outputs(recipe, environment: ["TEXEL_CPU": "baseline"])
        for level in ProcessorLevel.allCases where level != .baseline && level.isAvailable {
            #expect(try outputs(recipe, environment: ["TEXEL_CPU": level.rawValue]) == baseline, "\(level)")
        }
    }

    /// All kinds of files on all routes; JPEG decoders at full and at reduced size.
    @Test(arguments: [
        ["compress", "-q", "75"],
        ["compress", "--metadata", "none", "-f", "png", "--effort", "fast"],
        ["compress", "--colors", "32", "-f", "png"],
        ["resize", "--scale", "2/3", "--linear", "-f", "jpeg"],
        ["resize", "--width", "64", "--height", "64", "--fit", "cover", "--filter", "catmull-rom"],
        ["rotate", "--angle", "90"],
        ["rotate", "--angle", "-33", "--width", "40", "--background", "white", "-f", "jpeg"],
    ])
    func processorLevelsOnTestImages(recipe: [String]) throws {
        func outputs(at level: ProcessorLevel) throws -> [String: [UInt8]] {
            let fresh = try TemporaryDirectory()
            let arguments = recipe + [TestFolders.testImages.path, "-r", "-o", fresh.path, "--progress", "none"]
            let outcome = try workspace.run(arguments, environment: ["TEXEL_CPU": level.rawValue])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try fresh.contents()
        }
        let baseline = try outputs(at: .baseline)
        #expect(baseline.count == TestFolders.files(below: TestFolders.testImages).count)
        for level in ProcessorLevel.allCases where level != .baseline && level.isAvailable {
            let others = try outputs(at: level)
            // The names only, because megabytes of differing bytes would not help.
            let differing = baseline.keys.filter { baseline[$0] != others[$0] }.sorted()
            #expect(differing == [], "\(level)")
        }
    }
}
