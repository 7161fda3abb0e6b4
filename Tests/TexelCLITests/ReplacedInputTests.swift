import Foundation
import TestSupport
import Testing
import Texel

/// No command replaces a file that it reads, unless it was asked to; and what killed runs left is removed.
@Suite struct ReplacedInputTests {
    private let workspace: Workspace
    private let photo: [UInt8]

    init() throws {
        workspace = try Workspace()
        photo = try Sample.jpeg()
        try workspace.add("a.jpg", photo)
    }

    private func expectInput(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try workspace.directory.contents()
        let outcome = try workspace.run(arguments)
        #expect(outcome.status != 0 && outcome.errors.contains("is also an input"), "\(outcome.errors)")
        #expect(try workspace.directory.contents() == before)
    }

    /// The thumbnails' folder may have been named as an input.
    @Test func thumbnailsDoNotReplaceInputs() throws {
        try workspace.add("page-thumbnails/00001.jpg", photo)
        let outcome = try workspace.texel(
            "sheet", "page-thumbnails/00001.jpg", "-o", "page.html", "--thumbnails", "beside", "--overwrite")
        #expect(outcome.status != 0 && outcome.errors.contains("is also an input"), "\(outcome.errors)")
        #expect(try workspace.bytes("page-thumbnails/00001.jpg") == photo)
    }

    @Test(arguments: [
        ["-o", "page.html", "--thumbnails", "beside"],
        ["-o", "page.png", "--rows", "1", "--columns", "1", "--no-captions"],
    ])
    func earlierPagesAndThumbnailsAreNotInputs(arguments: [String]) throws {
        try workspace.add("b.jpg", photo)
        let call = ["sheet", ".", "-r", "--overwrite"] + arguments
        let first = try workspace.run(call)
        #expect(first.status == 0, "\(first.errors)")
        let files = try workspace.directory.contents()
        #expect(files.count > 3)
        #expect(try workspace.run(call).status == 0)
        #expect(try workspace.directory.contents() == files)
    }

    @Test func framesDoNotReplaceTheirSource() throws {
        let frame = try PixelBuffer.smooth(PixelSize(width: 20, height: 10)).encoded(as: .png(PNGOptions()))
        for number in 1...3 { try workspace.add("in/0000\(number).png", frame) }
        for source in ["in/%05d.png", "in/0*.png"] {
            try expectInput(["frames", source, "-o", "in/%05d.png", "--overwrite"])
            try expectInput(["frames", source, "-o", "in/00003.png", "--frames", "1", "--overwrite"])
        }
        let stream = try workspace.texel("frames", "in/%05d.png", "-o", "a.y4m")
        #expect(stream.status == 0, "\(stream.errors)")
        try expectInput(["frames", "a.y4m", "-o", "a.y4m"])
    }

    @Test func pyramidsAroundAnInput() throws {
        let made = try workspace.texel("tile", "a.jpg", "-o", "tiles")
        #expect(made.status == 0, "\(made.errors)")
        // The tiles of this image would replace the folder that it is in.
        try workspace.add("tiles/a_files/0/a.jpg", photo)
        try expectInput(["tile", "tiles/a_files/0/a.jpg", "-o", "tiles", "--overwrite"])
    }

    @Test func linksStay() throws {
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory("link.jpg"), withDestinationPath: "new.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory("circle.jpg"), withDestinationPath: "circle.jpg")
        try workspace.expectFailure(
            "compress", "a.jpg", "-o", "link.jpg", status: 73, naming: "a.jpg", saying: "already exists")
        #expect(try workspace.texel("compress", "a.jpg", "-o", "link.jpg", "--overwrite").status == 0)
        #expect(try workspace.image("new.jpg").size == Sample.size)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: workspace.directory("link.jpg")) == "new.jpg")
        try workspace.expectFailure(
            "compress", "a.jpg", "-o", "circle.jpg", "--overwrite", status: 73, naming: "a.jpg", saying: "cannot create"
        )
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: workspace.directory("circle.jpg")) == "circle.jpg"
        )
    }

    @Test func bracesInNames() throws {
        try FileManager.default.createDirectory(
            atPath: workspace.directory("set {1}"), withIntermediateDirectories: false)
        for (output, result) in [
            ("set {1}", "set {1}"), ("set {{2}}/", "set {2}"), ("{{name}} {name}/x.jpg", "{name} a"),
        ] {
            let outcome = try workspace.texel("compress", "a.jpg", "-o", output)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.files().contains { $0.hasPrefix("\(result)/") })
        }
        try workspace.expectUsageError("compress", "a.jpg", "-o", "set {3}/", saying: "{{ for a brace")
    }

    /// The next run in a folder removes them, whatever it writes there; one that writes nothing leaves them.
    @Test(arguments: [
        ["compress", "a.jpg", "--in-place"], ["compress", "a.jpg"], ["compress", "a.jpg", "-o", "b.jpg"],
        ["compress", "a.jpg", "-f", "png", "-o", "./"], ["sheet", "a.jpg", "-o", "s.png", "--no-captions"],
        ["tile", "a.jpg", "-o", "./"], ["frames", "a.jpg", "--frames", "1", "-o", "f.png"],
        ["frames", "a.jpg", "-o", "%d.png", "--frames", "1"], ["frames", "a.jpg", "-o", "f.y4m", "--frames", "1"],
    ])
    func leftoversAreRemovedByTheNextRunThatWrites(arguments: [String]) throws {
        let left = [".a.jpg.texel-12-34.unfinished", ".a_files.texel-12-35.unfinished/0/0_0.jpg"]
        for name in left { try workspace.add(name, photo) }
        if arguments[0] == "compress" {
            #expect(try workspace.run(arguments + ["--dry-run"]).status == 0)
            #expect(try left.allSatisfy(workspace.files().contains))
        }
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try !workspace.files().contains { $0.contains(".texel-") })
    }
}
