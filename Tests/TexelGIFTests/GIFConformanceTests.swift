#if GIF
    import Foundation
    import TestSupport
    import Testing
    import TexelCore
    import TexelFormats
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelGIF

    /// Files of other projects with the pixels that are expected: `gif/pygif` (the test-suite folder of
    /// robert-ancell/pygif), `gif/gif-test-suite` (the gifs folder of peterdn/gif-test-suite), and `gif/pillow` (any
    /// files, with the frames that `Scripts/compose-gif-frames.py` composes) in TEXEL_CORPORA.
    @Suite(.enabled(if: GIFCorpus.isThere, "TEXEL_CORPORA has no folder gif"))
    struct GIFConformanceTests {
        private let checks = CodecChecks(GIFCodec())

        // MARK: pygif

        /// Files without a valid image, and their errors.
        private static let refused: [String: TexelError] = [
            "invalid-code": .gif(.invalidValue(7, of: "LZW code", context: "the start of a table")),
            "max-size": .limitExceeded(.pixels, value: 65_535 * 65_535, allowed: Limits().pixels),
            "no-data": .gif(.missing("image")),
            "overflow-codes": .gif(.invalidValue(12, of: "LZW minimum code size")),
            "overflow-codes-max": .gif(.invalidValue(255, of: "LZW minimum code size")),
            "zero-height": .gif(.missing("image")),
            "zero-size": .gif(.missing("image")),
            "zero-width": .gif(.missing("image")),
        ]
        /// Files of which the suite expects nothing, and which are decoded.
        private static let unspecified: Set = ["invalid-colors", "plain-text"]

        @Test func pygifFilesDecodeAsDescribed() throws {
            let files = GIFCorpus.files("pygif").filter { $0.pathExtension == "conf" }
            #expect(files.count == 84)
            var (frameCount, fileCount) = (0, 0)
            for file in files {
                let name = file.deletingPathExtension().lastPathComponent
                let test = try PyGIFTest(file)
                let bytes = try Corpora.bytes(file.deletingLastPathComponent().appendingPathComponent(test.input))
                if let error = Self.refused[name] {
                    #expect(throws: error, "\(name)") { try checks.decoded(bytes) }
                    continue
                }
                do {
                    if Self.unspecified.contains(name) {
                        _ = try checks.decoded(bytes)
                        continue
                    }
                    frameCount += try check(test, bytes, name)
                    fileCount += 1
                } catch {
                    Issue.record("\(name): \(error)")
                }
            }
            #expect(fileCount == files.count - Self.refused.count - Self.unspecified.count)
            print("pygif: \(frameCount) frames of \(fileCount) files")
        }

        /// Compares size, repetitions, delays, metadata and the pixels of all frames. The suite combines images without
        /// a delay, unless it says otherwise; what is displayed after the last of them is compared.
        private func check(_ test: PyGIFTest, _ bytes: [UInt8], _ name: String) throws -> Int {
            let source = try checks.source(bytes)
            #expect(source.info.size == test.size, "\(name)")
            if let comment = test.comment {
                #expect(source.info.metadata.comments.map(\.text).joined() == comment, "\(name)")
            }
            if let xmp = test.xmp { #expect(source.info.metadata.xmp?.bytes ?? [] == xmp, "\(name)") }
            if let profile = test.profile.flatMap({ ICCProfile($0) }) {
                #expect(source.info.colorSpace == .iccProfile(profile), "\(name)")
            }
            guard let animation = try source.animation(limits: Limits()) else {
                #expect(test.frames.count == 1, "\(name)")
                try compare(try checks.decoded(bytes).image, test.frames[0].pixels, name)
                return 1
            }
            // The suite declares gif87a-animation endless, but the file does not say so, and GIF87a cannot.
            if let playCount = test.playCount, name != "gif87a-animation" {
                #expect(animation.playCount == playCount, "\(name)")
            }
            var (expected, delay) = (test.frames[...], 0)
            for (index, frame) in animation.frames.enumerated() {
                delay += frame.delay.numerator
                let isLast = index == animation.frames.count - 1
                guard test.isForced || frame.delay.numerator > 0 || isLast else { continue }
                guard let next = expected.popFirst() else {
                    Issue.record("\(name) has more frames than expected")
                    break
                }
                try compare(try checks.decoded(bytes, frame: index).image, next.pixels, "\(name) frame \(index)")
                #expect(delay == next.delay, "\(name) frame \(index)")
                delay = 0
            }
            #expect(expected.isEmpty, "\(name)")
            return test.frames.count
        }

        private func compare(_ image: PixelBuffer, _ rgba: [UInt8], _ name: String) throws {
            let pixels = stride(from: 0, to: rgba.count, by: 4).map { at -> UInt32 in
                guard rgba[at + 3] > 0 else { return 0 }
                return [3, 0, 1, 2].reduce(0) { $0 << 8 | UInt32(rgba[at + $1]) }
            }
            #expect(image.pixels == pixels, "\(name)")
        }

        // MARK: gif-test-suite

        @Test func gifTestSuite() throws {
            let files = GIFCorpus.files("gif-test-suite").filter { $0.pathExtension == "gif" }
            #expect(files.count == 13)
            var frameCount = 0
            for file in files {
                let name = file.deletingPathExtension().lastPathComponent
                let bytes = try Corpora.bytes(file)
                let count = try checks.source(bytes).info.frameCount
                #expect(count == (name.hasPrefix("static") ? 1 : 4), "\(name)")
                for frame in 0..<count {
                    let png = "frames/\(name)\(count == 1 ? "" : "-\(frame)").png"
                    let expected = try CodecRegistry.shared.open(
                        InputBytes(Corpora.bytes(file.deletingLastPathComponent().appendingPathComponent(png)))
                    ).decodedAsStored().image
                    let decoded = try checks.decoded(bytes, frame: frame).image
                    let pixels = expected.pixels.map { $0 >> 24 == 0 ? 0 : $0 }
                    #expect(decoded.size == expected.size && decoded.pixels == pixels, "\(name) frame \(frame)")
                    frameCount += 1
                }
            }
            print("gif-test-suite: \(frameCount) frames of \(files.count) files")
        }

        // MARK: Pillow

        /// Files that Pillow composes in another way than browsers and Texel do.
        private static let different: [String: String] = [
            "Pillow-dispose_bgnd": "Pillow clears to the background colour; browsers clear to transparent",
            "Pillow-dispose_bgnd_rgba": "Pillow clears to the background colour; browsers clear to transparent",
            "Pillow-duplicate_number_of_loops": "Pillow uses the first of two loop counts; browsers use the last",
            "Pillow-test_extents": "Pillow enlarges the canvas for each image; browsers only for the first",
            "Pillow-test_extents_transparency": "a second GIF inside the first; browsers end at its signature",
            "glide-opaque_gif": "Pillow does not restore the empty canvas before a first frame without transparency",
        ]

        @Test func pillowFilesDecodeLikeTheReference() throws {
            var (frameCount, fileCount) = (0, 0)
            for file in GIFCorpus.files("pillow") where file.pathExtension == "bgra" {
                let name = file.deletingPathExtension().lastPathComponent
                let reference = try Data(contentsOf: file, options: .mappedIfSafe)
                let end = try #require(reference.firstIndex(of: UInt8(ascii: "\n")))
                let header = try JSONDecoder().decode(PillowHeader.self, from: reference[..<end])
                let source = try checks.source(
                    try Corpora.bytes(file.deletingPathExtension().appendingPathExtension("gif")))
                guard Self.different[name] == nil else {
                    _ = try source.decodedAsStored()
                    continue
                }
                #expect(source.info.size == PixelSize(width: header.width, height: header.height), "\(name)")
                let different = try differentFrames(source, header, reference[(end + 1)...], name)
                #expect(different.isEmpty, "\(name): frames \(different) differ")
                (frameCount, fileCount) = (frameCount + header.delays.count, fileCount + 1)
            }
            print("Pillow: \(frameCount) frames of \(fileCount) files")
        }

        /// Compares the timing, and returns the frames whose pixels differ.
        private func differentFrames(
            _ source: any ImageFile, _ header: PillowHeader, _ pixels: Data, _ name: String
        ) throws -> [Int] {
            let rowSize = header.width * PixelBuffer.bytesPerPixel
            let frameSize = header.height * rowSize
            var frame = [UInt8](repeating: 0, count: frameSize)
            func differs(_ index: Int) -> Bool {
                let start = pixels.startIndex + index * frameSize
                guard start + frameSize <= pixels.endIndex else { return true }
                return !pixels[start..<(start + frameSize)].elementsEqual(frame)
            }
            guard let animation = try source.animation(limits: Limits()) else {
                #expect(header.delays.count == 1, "\(name)")
                frame = try source.decodedAsStored().image.pixels.withUnsafeBytes { Array($0) }
                return differs(0) ? [0] : []
            }
            #expect(animation.frames.map(\.delay.numerator) == header.delays, "\(name)")
            #expect(animation.playCount == header.loop.map { $0 == 0 ? 0 : $0 + 1 } ?? 1, "\(name)")
            let canvas = try AnimationCanvas(animation)
            return try animation.frames.indices.filter { index in
                try canvas.draw(index, DecodeOptions())
                frame.withUnsafeMutableBytes { bytes in
                    guard let base = bytes.baseAddress else { return }
                    canvas.copy(0..<header.height, into: base, bytesPerRow: rowSize)
                }
                return differs(index)
            }
        }
    }

    private struct PillowHeader: Decodable {
        var width: Int
        var height: Int
        var delays: [Int]
        var loop: Int?
    }

    /// The optional files.
    private enum GIFCorpus {
        static var isThere: Bool { !Corpora.files("gif").isEmpty }

        /// The files of a suite, without those in folders of it.
        static func files(_ suite: String) -> [URL] {
            Corpora.files("gif/\(suite)").filter { $0.deletingLastPathComponent().lastPathComponent == suite }
        }
    }

    /// The expected content of a file of pygif's suite: sections of `key = value`.
    private struct PyGIFTest {
        let input: String
        let size: PixelSize
        /// 0 for endless.
        let playCount: Int?
        let isForced: Bool
        let comment: String?
        let xmp: [UInt8]?
        let profile: [UInt8]?
        private(set) var frames: [(pixels: [UInt8], delay: Int)] = []

        init(_ file: URL) throws {
            var sections: [String: [String: String]] = [:]
            var section = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if line.hasPrefix("[") { section = String(line.dropFirst().dropLast()) }
                guard let sign = line.firstRange(of: " = ") else { continue }
                sections[section, default: [:]][String(line[..<sign.lowerBound])] = String(line[sign.upperBound...])
            }
            func content(_ name: String) throws -> [UInt8] {
                Array(try Data(contentsOf: file.deletingLastPathComponent().appendingPathComponent(name)))
            }
            let config = sections["config"] ?? [:]
            input = config["input"] ?? ""
            size = PixelSize(width: Int(config["width"] ?? "") ?? 0, height: Int(config["height"] ?? "") ?? 0)
            playCount = config["loop-count"] == "infinite" ? 0 : config["loop-count"].flatMap { Int($0) }.map { $0 + 1 }
            isForced = config["force-animation"] == "yes"
            comment = config["comment"].map {
                String($0.dropFirst().dropLast()).replacingOccurrences(of: "\\x00", with: "\0")
            }
            xmp = try config["xmp-data"].map { $0 == "empty.xmp" ? [] : try content($0) }
            profile = try config["color-profile"].map(content)
            for name in config["frames"]?.split(separator: ",") ?? [] {
                guard let frame = sections[String(name)], let pixels = frame["pixels"] else { continue }
                frames.append((try content(pixels), frame["delay"].flatMap { Int($0) } ?? 0))
            }
        }
    }
#endif
