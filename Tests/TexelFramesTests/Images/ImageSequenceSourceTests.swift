import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPNG
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Image sequences")
struct ImageSequenceSourceTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func addImages(_ names: [String], width: Int = 5) throws {
        for name in names {
            let image = try PixelBuffer.random(width: width, height: 3)
            try directory.add(name, try image.encoded(as: .png(PNGOptions(effort: .fast))))
        }
    }

    private func names(_ source: ImageSequenceSource) throws -> [String] {
        try source.seenFrames().map { frame in
            guard case .file(let path) = frame.image else { return "" }
            return path.lastComponent?.string ?? ""
        }
    }

    /// A sequence starts at its lowest number or at a given one, and may have more digits than the pattern says.
    @Test func sequencesStartAtTheLowestOrGivenNumber() throws {
        try addImages(["a007.png", "a008.png", "a0009.png", "a9.png", "b99.png", "b100.png", "b98.png", "c  9.png"])
        #expect(try names(ImageSequenceSource(directory("a%03d.png"))) == ["a007.png", "a008.png"])
        #expect(try names(ImageSequenceSource(directory("a%03d.png"), firstNumber: 8)) == ["a008.png"])
        #expect(try names(ImageSequenceSource(directory("b%02d.png"))) == ["b98.png", "b99.png", "b100.png"])
        #expect(try names(ImageSequenceSource(directory("c%3d.png"))) == ["c  9.png"])
        #expect(throws: TexelError.missingFile(FilePath(directory("a006.png")))) {
            try ImageSequenceSource(directory("a%03d.png"), firstNumber: 6)
        }
    }

    /// The number may be in the name of a folder. Names that are similar do not belong to the sequence.
    @Test func folderNamesMayHaveTheNumber() throws {
        try addImages(["take3/x.png", "take4/x.png", "take10/y.png", "takes/x.png", "take05/x.png", "take/x.png"])
        let source = try ImageSequenceSource(directory("take%d/x.png"))
        #expect(try source.seenFrames().count == 2)
        let names = try #require(NumberedPath(directory("take%d/x.png")))
        #expect(names.existingNumbers() == [3, 4])
    }

    /// A missing file ends the stream with an error that names it, after the frames before it.
    @Test func gapsEndTheStreamWithTheMissingFile() throws {
        try addImages(["a1.png", "a2.png", "a4.png"])
        let source = try ImageSequenceSource(directory("a%d.png"))
        let stop = StopToken()
        #expect(try source.nextSeen(stop)?.index == 0)
        #expect(try source.nextSeen(stop)?.index == 1)
        let gap = TexelError.missingImage(FilePath(directory("a3.png")), next: FilePath(directory("a4.png")))
        #expect(throws: gap) { try source.nextSeen(stop) }
        #expect("\(gap)".hasSuffix("a3.png is missing, although the sequence goes on with \(directory("a4.png"))"))
        let prefix = try ImageSequenceSource(directory("a%d.png")).prefix(2)
        #expect(try prefix.seenFrames().count == 2)
    }

    /// Outputs must not replace files of a sequence, also after a gap.
    @Test func filesOfASequenceIncludeThoseAfterAGap() throws {
        try addImages(["a7.png", "a9.png"])
        let files = FrameSourceFactory.files(of: directory("a%d.png"))
        #expect(files.map { $0.lastComponent?.string } == ["a7.png", "a9.png"])
        var options = StreamOptions()
        options.firstNumber = 9
        #expect(try FrameSourceFactory.open(directory("a%d.png"), options: options).seenFrames().count == 1)
    }

    @Test("Patterns of the shell give their files as people count them")
    func shellPatternsGiveNaturalOrder() throws {
        try addImages(["p10.png", "p9.png", "p2.png", "p010.png", "q1.png"])
        #expect(try names(ImageSequenceSource(directory("p*.png"))) == ["p2.png", "p9.png", "p010.png", "p10.png"])
        #expect(try names(ImageSequenceSource(directory("q1.png"))) == ["q1.png"])
    }

    @Test("Sizes are the first picture's; times are even, numbers begin at 0")
    func sizeIsThatOfTheFirstImage() throws {
        try addImages(["p1.png"], width: 8)
        try addImages(["p2.png"], width: 7)
        let source = try ImageSequenceSource(directory("p%d.png"), rate: try #require(FrameRate(10)))
        #expect(
            source.format == FrameFormat(size: PixelSize(width: 8, height: 3), rate: FrameRate(10), isEncoded: true))
        let frames = try source.seenFrames()
        #expect(frames.map(\.index) == [0, 1])
        #expect(frames.map(\.time) == [.zero, .milliseconds(100)])
        #expect(frames.map(\.duration) == [.milliseconds(100), .milliseconds(100)])
    }

    @Test("A turned photograph has the size at which it is seen")
    func sizeFollowsTheOrientation() throws {
        let source = try ImageSequenceSource(
            TestFolders.testImages.appendingPathComponent("orientation-6.jpg").path)
        let stored = try CodecRegistry.shared.open(InputBytes(try TestFolders.testImage("orientation-6.jpg"))).info.size
        #expect(source.format.size == stored.transposed)
    }

    @Test("Nothing there is an error that names what was looked for")
    func errorsNameMissingOrUnknownInputs() throws {
        try directory.add("bad1.png", [1, 2, 3])
        let none = FilePath(directory("n%d.png"))
        #expect(throws: TexelError.missingFile(FilePath(directory("n1.png")))) {
            try ImageSequenceSource(none.string)
        }
        #expect(throws: TexelError.missingFile(FilePath(directory("*.jpg")))) {
            try ImageSequenceSource(directory("*.jpg"))
        }
        let failure = #expect(throws: TexelError.self) { try ImageSequenceSource(directory("bad%d.png")) }
        guard failure?.kind == .unknownFormat, failure?.description.contains("01 02 03") == true else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("Only whole number formats are numbers")
    func onlyIntegerFormatsMakeNumberedPaths() {
        #expect(NumberedPath("a%d")?.path(7) == "a7")
        #expect(NumberedPath("a%5d.x")?.path(42) == "a   42.x")
        #expect(NumberedPath("%05d%%")?.path(123_456) == "123456%")
        #expect(NumberedPath("é%03dü.png")?.path(5) == "é005ü.png")
        for pattern in ["", "a", "%", "%%", "%s", "%d%d", "%99d", "%99999999999999999999d", "a%0", "%-3d"] {
            #expect(NumberedPath(pattern) == nil, "\(pattern)")
        }
    }

    @Test("The natural order is an order")
    func naturalOrderSortsNumbersByValue() {
        let sorted = [
            "", "1", "01x", "1x", "2", "9", "09a", "9a", "10", "100", "a", "a1b2", "a1b10", "a2", "a10b1",
            "b99999999999999999999998", "b99999999999999999999999",
        ]
        for (i, left) in sorted.enumerated() {
            for (j, right) in sorted.enumerated() {
                #expect(naturalOrder(left, right) == (i < j), "\(left) \(right)")
            }
        }
    }
}
