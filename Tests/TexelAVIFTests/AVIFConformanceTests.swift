#if AVIF
    import Foundation
    import TestSupport
    import Testing
    import TexelCore
    import TexelPNG
    import TexelPixels

    @testable import TexelAVIF
    @testable import TexelCodecs

    /// Real files, in the subfolder `avif` of the corpora, compared with avifdec, which uses the same library.
    @Suite(.enabled(if: AVIFCorpus.isThere, "TEXEL_CORPORA has no AVIF files, or avifdec is not installed"))
    struct AVIFConformanceTests {
        private let checks = CodecChecks(AVIFCodec())

        /// Every image is within 1 of avifdec's; what avifdec refuses is refused.
        @Test(.timeLimit(.minutes(30))) func imagesAreThoseOfAvifdec() throws {
            var counts: [String: Int] = [:]
            var notes: [String] = []
            for file in AVIFCorpus.files {
                let name = Corpora.name(of: file)
                let bytes = try Corpora.bytes(file)
                let info = try? checks.source(bytes).info
                // To 8 bits, libyuv converts deeper images without their lowest bits.
                let reference = try AVIFCorpus.reference(file, depth: info?.bitDepth ?? 8)
                let result = Result { try checks.decoded(bytes).image }
                switch (result, reference) {
                case (.success(let image), .some(let reference)):
                    let opened = try AVIFFile(InputBytes(bytes), limits: Limits(), stop: nil)
                    var expected = try reference.cropped(to: opened.image.area)
                    if info?.colorModel == .gray, info?.bitDepth == 8, !opened.image.colors.coded.isFullRange {
                        expected = try Self.expanded(expected)
                    }
                    #expect(image.size == expected.size, "\(name)")
                    guard image.size == expected.size else { continue }
                    let difference = largestVisibleDifference(image, expected)
                    counts["differ by at most \(difference)", default: 0] += 1
                    #expect(difference <= 1, "\(name)")
                case (.failure(let error), nil):
                    counts["refused by both", default: 0] += 1
                    #expect(error is TexelError, "\(name)")
                    notes.append("\(name): \(error)")
                case (.success, nil):
                    counts["refused by avifdec only", default: 0] += 1
                    notes.append("\(name): only avifdec refuses it")
                case (.failure(let error), .some):
                    Issue.record("\(name): \(error)")
                }
            }
            print("avif: \(counts.sorted { $0.key < $1.key })")
            for note in notes { print("avif: \(note)") }
            #expect(counts.values.reduce(0, +) == AVIFCorpus.files.count)
        }

        /// Converts luma in the limited range to grey, which avifdec leaves out for 8-bit grey images.
        private static func expanded(_ image: PixelBuffer) throws -> PixelBuffer {
            try PixelBuffer.make(width: image.width, height: image.height) { x, y in
                let luma = Double(image[x, y] & 255)
                return 0xFF00_0000 | UInt32(min(max((luma - 16) * 255 / 219, 0), 255).rounded()) * 0x01_0101
            }
        }

        /// Frames of sequences are those of avifdec, and so are their times.
        @Test func framesAreThoseOfAvifdec() throws {
            var compared = 0
            for file in AVIFCorpus.files {
                let bytes = try Corpora.bytes(file)
                guard let source = try? checks.source(bytes), source.info.isAnimation,
                    try AVIFCorpus.reference(file) != nil
                else { continue }
                let animation = try #require(try source.animation(limits: Limits()))
                for index in Set([0, 1, animation.frames.count / 2, animation.frames.count - 1]) {
                    let image = try checks.decoded(bytes, frame: index).image
                    // One file declares a frame that can be decoded only after others to be independent.
                    guard let reference = try AVIFCorpus.reference(file, index: index, depth: source.info.bitDepth)
                    else {
                        print("avif: avifdec has no frame \(index) of \(Corpora.name(of: file))")
                        continue
                    }
                    #expect(image.size == reference.size)
                    #expect(
                        largestVisibleDifference(image, reference) <= 1, "frame \(index) of \(Corpora.name(of: file))")
                    compared += 1
                }
                let name = Corpora.name(of: file)
                print("avif: \(name): \(animation.frames.count) frames, \(animation.playCount) times")
            }
            #expect(compared > 0)
            print("avif: \(compared) frames compared")
        }

        /// Metadata are replaced without a change to a pixel, and every position is right.
        @Test(.timeLimit(.minutes(30))) func rewrittenFilesHaveTheSamePixels() throws {
            var rewritten = 0
            for file in AVIFCorpus.files {
                let name = Corpora.name(of: file)
                let bytes = try Corpora.bytes(file)
                guard let source = try? checks.source(bytes), let image = try? checks.decoded(bytes).image else {
                    continue
                }
                let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: .rotated90), xmp: Array("<x/>".utf8))
                let cases: [(WrittenMetadata, KeptParts)] = [
                    (metadata, [.color, .attachments]), (WrittenMetadata(), [.color]),
                ]
                for (metadata, keeping) in cases {
                    let copy = try source.rewritten(metadata: metadata, keeping: keeping, stop: nil)
                    let info = try checks.source(copy).info
                    #expect(info.metadata.exif?.orientation == (metadata.exif == nil ? nil : .identity), "\(name)")
                    #expect(info.metadata.xmp?.bytes == metadata.xmp, "\(name)")
                    #expect(info.orientation == source.info.orientation, "\(name)")
                    #expect(try checks.decoded(copy).image == image, "\(name)")
                    if keeping.contains(.attachments) {
                        let kept = try checks.source(copy).attachments(nil)
                        #expect(try kept == source.attachments(nil), "\(name)")
                    }
                    if info.isAnimation {
                        let last = info.frameCount - 1
                        #expect(
                            try checks.decoded(copy, frame: last).image == checks.decoded(bytes, frame: last).image)
                    }
                }
                rewritten += 1
            }
            #expect(rewritten > 0)
            print("avif: \(rewritten) files rewritten")
        }
    }

    /// The files, and the program to compare with.
    enum AVIFCorpus {
        private static let avifdec = ReferenceProgram("avifdec")

        static let files = Corpora.files("avif", extensions: ["avif", "avifs"])

        static var isThere: Bool { !files.isEmpty && avifdec.isThere() }

        /// Returns avifdec's image, which is neither cropped nor turned; `nil` if it refuses the file.
        static func reference(_ file: URL, index: Int = 0, depth: Int = 8) throws -> PixelBuffer? {
            let png = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
            defer { try? FileManager.default.removeItem(at: png) }
            guard
                try avifdec.succeeds([
                    "--no-strict", "--ignore-icc", "-d", depth > 8 ? "16" : "8", "--png-compress", "0", "--index",
                    "\(index)", file.path, png.path,
                ])
            else { return nil }
            return try CodecChecks(PNGCodec()).decoded(Corpora.bytes(png)).image
        }
    }
#endif
