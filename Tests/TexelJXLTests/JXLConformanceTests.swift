#if JXL
    import Foundation
    import TestSupport
    import Testing
    import TexelCore
    import TexelJPEG
    import TexelPNG
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelJXL

    /// Real files, in the subfolder `jxl` of the corpora, compared with djxl, which uses the same library.
    @Suite(.enabled(if: JXLCorpus.isThere, "TEXEL_CORPORA has no JPEG XL files, or djxl is not installed"))
    struct JXLConformanceTests {
        private let checks = CodecChecks(JXLCodec())

        /// Files that djxl 0.7 cannot write as PNG, or only with wrong samples: their alpha has another depth than 8 or
        /// 16 bits, or their samples are floating point beyond 0…1.
        private static let withoutReference = [
            "alpha_nonpremultiplied", "alpha_premultiplied", "alpha_triangles", "blendmodes", "lossless_pfm",
            "sunset_logo",
        ]

        /// Every image is within 1 of djxl's; what djxl refuses is refused. An animation's frames are all compared.
        @Test(.timeLimit(.minutes(30))) func imagesAreThoseOfDjxl() throws {
            var counts: [String: Int] = [:]
            var frameCount = 0
            for file in JXLCorpus.files where !Self.withoutReference.contains(where: file.path.contains) {
                let name = file.lastPathComponent
                let bytes = try Corpora.bytes(file)
                let result = Result { try checks.decoded(bytes).image }
                let reference = try JXLCorpus.reference(file, try? checks.source(bytes).info)
                switch (result, reference) {
                case (.success, .some(let reference)):
                    let source = try checks.source(bytes)
                    #expect(source.info.frameCount == reference.info.frameCount, "\(name)")
                    guard source.info.frameCount == reference.info.frameCount else { continue }
                    let (own, expected) = (try Frames(source), try Frames(reference))
                    var largest = 0
                    for frame in 0..<source.info.frameCount {
                        let image = try own.image(frame).oriented(source.info.orientation)
                        let other = try expected.image(frame)
                        #expect(image.size == other.size, "\(name)")
                        guard image.size == other.size else { continue }
                        largest = max(largest, largestVisibleDifference(image, other))
                        frameCount += 1
                    }
                    counts["differ by at most \(largest)", default: 0] += 1
                    #expect(largest <= 1, "\(name)")
                case (.failure(let error), nil):
                    counts["refused by both", default: 0] += 1
                    print("jxl: \(name): \(error)")
                case (.success, nil):
                    counts["refused by djxl only", default: 0] += 1
                    print("jxl: \(name): only djxl refuses it")
                case (.failure(let error), .some):
                    counts["refused by Texel only", default: 0] += 1
                    print("jxl: \(name): \(error)")
                    guard (error as? TexelError)?.kind == .unsupported else {
                        Issue.record("\(name): \(error)")
                        continue
                    }
                }
            }
            print("jxl: \(counts.sorted { $0.key < $1.key }), \(frameCount) frames")
        }

        /// Metadata are replaced without a change to a pixel.
        @Test(.timeLimit(.minutes(30))) func rewrittenFilesHaveTheSamePixels() throws {
            var rewritten = 0
            for file in JXLCorpus.files {
                let bytes = try Corpora.bytes(file)
                guard let source = try? checks.source(bytes), let image = try? checks.decoded(bytes).image else {
                    continue
                }
                let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: .rotated90), xmp: Array("<x/>".utf8))
                for metadata in [metadata, WrittenMetadata()] {
                    let copy = try source.rewritten(metadata: metadata, keeping: [.color], stop: nil)
                    let info = try checks.source(copy).info
                    #expect(info.metadata.exif?.bytes == metadata.exif)
                    #expect(info.metadata.xmp?.bytes == metadata.xmp)
                    #expect(info.orientation == source.info.orientation)
                    #expect(try checks.decoded(copy).image == image)
                }
                rewritten += 1
            }
            #expect(rewritten > 0)
            print("jxl: \(rewritten) files rewritten")
        }

        /// Every JPEG of the corpora that libjxl accepts comes back byte for byte, and what does not is refused.
        @Test(.timeLimit(.minutes(30))) func jpegsAreRestoredExactly() throws {
            var (restored, refused, bytesBefore, bytesAfter) = (0, 0, 0, 0)
            for file in JXLCorpus.jpegs {
                let bytes = try Corpora.bytes(file)
                guard let info = try? CodecRegistry([JPEGCodec()]).open(InputBytes(bytes)).info,
                    JXLCodec().stores(info)
                else { continue }
                let stored = try JXLCodec().stored(
                    InputBytes(bytes), settings: EncodingSettings(effort: .fast), limits: Limits(), stop: nil,
                    parallelism: 2, progress: nil)
                guard let stored else {
                    refused += 1
                    print("jxl: \(file.lastPathComponent) cannot be stored")
                    continue
                }
                #expect(try checks.source(stored).storedFile(DecodeOptions()) == bytes, "\(file.lastPathComponent)")
                restored += 1
                bytesBefore += bytes.count
                bytesAfter += stored.count
            }
            print("jxl: \(restored) JPEGs restored, \(refused) refused, \(bytesAfter) of \(bytesBefore) bytes")
        }
    }

    /// Composes the frames of a file in their order, or gives its image.
    private struct Frames {
        private let source: any ImageFile
        private let canvas: AnimationCanvas?

        init(_ source: any ImageFile) throws {
            self.source = source
            canvas = try source.animation(limits: Limits()).map { animation throws(TexelError) in
                try AnimationCanvas(animation)
            }
        }

        func image(_ index: Int) throws -> PixelBuffer {
            guard let canvas else { return try source.decodedAsStored().image }
            try canvas.draw(index, DecodeOptions())
            var image = try PixelBuffer(
                uninitialized: source.info.size, alphaMode: .straight, colorSpace: source.info.colorSpace)
            let (height, bytesPerRow) = (image.height, image.bytesPerRow)
            image.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                canvas.copy(0..<height, into: base, bytesPerRow: bytesPerRow)
            }
            return image
        }
    }

    /// The files, and the program to compare with.
    enum JXLCorpus {
        private static let djxl = ReferenceProgram("djxl")

        static let files = Corpora.files("jxl", extensions: ["jxl"])

        static let jpegs = ["jxl", "jpeg-valid"].flatMap { Corpora.files($0, extensions: ["jpg", "jpeg"]) }

        static var isThere: Bool { !files.isEmpty && djxl.isThere() }

        /// Returns djxl's image, which is turned as displayed; `nil` if it refuses the file.
        ///
        /// - Parameter info: Texel's, for the colour space of its pixels.
        static func reference(_ file: URL, _ info: ImageInfo?) throws -> (any ImageFile)? {
            let png = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).apng")
            defer { try? FileManager.default.removeItem(at: png) }
            var colors: [String] = []
            let depth = info?.bitDepth == 16 ? [] : ["--bits_per_sample=8"]
            // For images of XYB with a profile, djxl's default is linear light.
            switch info?.colorSpace {
            case .sRGB: colors = ["--color_space=RGB_D65_SRG_Rel_SRG"]
            case .codePoints(let points) where points.primaries == 12 && points.transfer == 13:
                colors = ["--color_space=RGB_D65_DCI_Rel_SRG"]
            default: break
            }
            // Samples of 16 bits are only right without a request for 8; djxl does not convert grey to colours.
            let attempts = [depth + colors, depth]
            guard try attempts.contains(where: { try djxl.succeeds([file.path, png.path, "--quiet"] + $0) }) else {
                return nil
            }
            return try CodecChecks(PNGCodec()).source(Corpora.bytes(png))
        }
    }
#endif
