#if HEIC
    import Foundation
    import TestSupport
    import Testing
    import TexelCore
    import TexelPNG
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelHEIC

    /// Real files, in the subfolder `heic` of the corpora, compared with heif-convert, which uses the same library.
    @Suite(.enabled(if: HEICCorpus.isThere, "TEXEL_CORPORA has no HEIC files, or heif-convert is not installed"))
    struct HEICConformanceTests {
        private let checks = CodecChecks(HEICCodec())

        /// Luma is within 2 of heif-convert's, which repeats chroma samples instead of interpolating them; without
        /// halved chroma, so is every channel. The mean colour is the same in any case.
        @Test(.timeLimit(.minutes(30))) func imagesAreThoseOfHeifConvert() throws {
            var counts: [String: Int] = [:]
            var notes: [String] = []
            for file in HEICCorpus.files {
                let name = Corpora.name(of: file)
                let bytes = try Corpora.bytes(file)
                let reference = try HEICCorpus.reference(file)
                let result = Result { try checks.decoded(bytes).image }
                switch (result, reference) {
                case (.success(let image), .some(let reference)):
                    let info = try checks.source(bytes).info
                    let turned = try image.oriented(info.orientation)
                    let isHalved = info.chromaSubsampling == "4:2:0" || info.chromaSubsampling == "4:2:2"
                    #expect(turned.size == reference.size, "\(name)")
                    guard turned.size == reference.size else { continue }
                    let difference = Self.difference(turned, reference, lumaOnly: isHalved)
                    let means = meanDifference(turned, reference)
                    counts["differ by at most \(difference)", default: 0] += 1
                    #expect(difference <= 2, "\(name)")
                    #expect(means < 1.5, "\(name)")
                case (.failure(let error), let reference):
                    counts[reference == nil ? "refused by both" : "refused by Texel only", default: 0] += 1
                    #expect(error is TexelError, "\(name)")
                    notes.append("\(name): \(error)\(reference == nil ? "" : " (heif-convert reads it)")")
                    if reference != nil, (error as? TexelError)?.kind == .unsupported {
                    } else if reference != nil {
                        Issue.record("\(name): \(error)")
                    }
                case (.success, nil):
                    counts["without a result of heif-convert", default: 0] += 1
                    notes.append("\(name): heif-convert does not write it")
                }
            }
            print("heic: \(counts.sorted { $0.key < $1.key })")
            for note in notes { print("heic: \(note)") }
            #expect(counts.values.reduce(0, +) == HEICCorpus.files.count)
        }

        /// The largest difference of a channel, or of luma where no channel is clipped.
        private static func difference(_ left: PixelBuffer, _ right: PixelBuffer, lumaOnly: Bool) -> Int {
            var largest = 0
            func channels(_ pixel: UInt32) -> [Int] { [16, 8, 0].map { Int(pixel >> UInt32($0) & 255) } }
            for (a, b) in zip(left.pixels, right.pixels) where a != b && (a | b) >> 24 != 0 {
                let (x, y) = (channels(a), channels(b))
                largest = max(largest, abs(Int(a >> 24) - Int(b >> 24)))
                if !lumaOnly {
                    largest = max(largest, zip(x, y).map { abs($0 - $1) }.max() ?? 0)
                } else if (x + y).allSatisfy({ (1...254).contains($0) }) {
                    func luma(_ c: [Int]) -> Int { (299 * c[0] + 587 * c[1] + 114 * c[2] + 500) / 1000 }
                    largest = max(largest, abs(luma(x) - luma(y)))
                }
            }
            return largest
        }

        /// Metadata are replaced without a change to a pixel.
        @Test(.timeLimit(.minutes(30))) func rewrittenFilesHaveTheSamePixels() throws {
            var rewritten = 0
            for file in HEICCorpus.files {
                let name = Corpora.name(of: file)
                let bytes = try Corpora.bytes(file)
                guard let source = try? checks.source(bytes), let image = try? checks.decoded(bytes).image else {
                    continue
                }
                let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: .rotated90), xmp: Array("<x/>".utf8))
                for (metadata, keeping) in [
                    (metadata, KeptParts([.color, .attachments])), (WrittenMetadata(), KeptParts.color),
                ] {
                    let copy = try source.rewritten(metadata: metadata, keeping: keeping, stop: nil)
                    let info = try checks.source(copy).info
                    #expect(info.metadata.exif?.orientation == (metadata.exif == nil ? nil : .identity), "\(name)")
                    #expect(info.metadata.xmp?.bytes == metadata.xmp, "\(name)")
                    #expect(info.orientation == source.info.orientation, "\(name)")
                    #expect(try checks.decoded(copy).image == image, "\(name)")
                }
                rewritten += 1
            }
            print("heic: \(rewritten) files rewritten")
        }
    }

    /// The files, and the program to compare with.
    enum HEICCorpus {
        private static let convert = ReferenceProgram("heif-convert")

        static let files = Corpora.files("heic", extensions: ["heic", "heif", "hif"])

        static var isThere: Bool { !files.isEmpty && convert.isThere("--help") }

        /// Returns heif-convert's image of the primary item, displayed; `nil` if it refuses the file or writes others
        /// only.
        static func reference(_ file: URL) throws -> PixelBuffer? {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let png = folder.appendingPathComponent("image.png")
            guard try convert.succeeds([file.path, png.path]) else { return nil }
            // With several images, names have numbers.
            guard let number = try primaryNumber(file) else { return nil }
            let numbered = folder.appendingPathComponent("image-\(number).png")
            let result = FileManager.default.fileExists(atPath: png.path) ? png : numbered
            guard let bytes = try? Data(contentsOf: result) else { return nil }
            return try CodecChecks(PNGCodec()).decoded(Array(bytes)).image
        }

        /// The number of the primary image among those that heif-convert writes, which are neither hidden nor previews.
        private static func primaryNumber(_ file: URL) throws -> Int? {
            let container = try ISOMediaFile(
                InputBytes(Corpora.bytes(file)), format: .heic, brands: HEICFile.brands, limits: Limits(),
                stop: nil)
            guard let meta = container.meta else { return nil }
            let parts = Set(meta.references.filter { ["thmb", "auxl"].contains($0.type) }.map(\.from))
            let images = meta.items.filter { item in
                ["hvc1", "av01", "grid", "iden", "iovl"].contains(item.type) && !item.isHidden
                    && !parts.contains(item.id)
            }
            return images.firstIndex { $0.id == meta.primaryID }.map { $0 + 1 }
        }
    }
#endif
