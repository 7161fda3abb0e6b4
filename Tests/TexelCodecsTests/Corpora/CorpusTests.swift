import Foundation
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite(.enabled(if: Corpora.isThere, "TEXEL_CORPORA names no folder"))
struct CorpusTests {
    // MARK: PngSuite

    /// The defect of each corrupt file of PngSuite.
    private static let corrupt: [String: TexelError] = [
        "xs1n0g01.png": .png(.invalidSignature([0x09, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
        "xs2n0g01.png": .png(.invalidSignature([0x89, 0x51, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
        "xs4n0g01.png": .png(.invalidSignature([0x89, 0x50, 0x4E, 0x67, 0x0D, 0x0A, 0x1A, 0x0A])),
        "xs7n0g01.png": .png(.invalidSignature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x20, 0x0A])),
        "xcrn0g04.png": .png(.invalidSignature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0D, 0x1A, 0x0D])),
        "xlfn0g04.png": .png(.invalidSignature([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x0A, 0x1A, 0x0A])),
        "xhdn0g08.png": .png(.checksumMismatch(of: "IHDR chunk", declared: 0x4353_554D, computed: 0x5611_2528)),
        "xcsn0g01.png": .png(.checksumMismatch(of: "IDAT chunk", declared: 0x4353_554D, computed: 0xD02F_14C9)),
        "xc1n0g08.png": .png(.invalidValue(1, of: "colour type")),
        "xc9n2c08.png": .png(.invalidValue(9, of: "colour type")),
        "xd0n2c08.png": .png(.invalidValue(0, of: "bit depth", context: "colour type 2")),
        "xd3n2c08.png": .png(.invalidValue(3, of: "bit depth", context: "colour type 2")),
        "xd9n2c08.png": .png(.invalidValue(99, of: "bit depth", context: "colour type 2")),
        "xdtn0g01.png": .png(.missing("IDAT chunk")),
    ]

    @Test func onlyCorruptPNGSuiteFilesAreRefused() throws {
        let files = Corpora.files("pngsuite").filter { $0.pathExtension == "png" }
        #expect(files.count == 176)
        var refused = 0
        for file in files {
            let name = file.lastPathComponent
            let failure = try Corpora.bytes(file).failure()
            if let expected = Self.corrupt[name] {
                #expect(failure == expected, "\(name)")
                refused += 1
            } else {
                #expect(failure == nil, "\(name)")
            }
        }
        #expect(refused == Self.corrupt.count)
        print("pngsuite: \(files.count) files, \(files.count - refused) decoded, \(refused) refused as they should be")
    }

    // MARK: Against other decoders

    /// The table is recorded by Scripts/record-png-goldens.py.
    @Test func pngPixelsAreThoseOfPillow() throws {
        let root = try #require(TestFolders.corpora)
        let table = TestFolders.root.appendingPathComponent("Tests/TexelCodecsTests/Goldens/png-pixels.tsv")
        let lines = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").dropFirst()
        var (compared, missing) = (0, 0)
        for line in lines {
            let fields = line.split(separator: "\t").map(String.init)
            let (name, width, height, digest) = (fields[0], fields[1], fields[2], fields[3])
            let file = root.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else {
                missing += 1
                continue
            }
            do {
                let image = try Corpora.bytes(file).decoded()
                #expect("\(image.width)×\(image.height)" == "\(width)×\(height)", "\(name)")
                #expect(image.digest == digest, "\(name)")
            } catch {
                Issue.record("\(name): \(error)")
            }
            compared += 1
        }
        #expect(compared > 0)
        print("png pixels: \(compared) files compared exactly, \(missing) of the table are not there")
    }

    /// Reference images of other decoders are next to some files.
    @Test func jpegPixelsAreNearTheirReferences() throws {
        let files = Corpora.files("jpeg-valid")
        var differences: [Int: Int] = [:]
        var unsupported = 0
        for file in files where ["jpg", "jpeg"].contains(file.pathExtension.lowercased()) {
            for format in ["png", "ppm"] {
                let reference = file.deletingPathExtension().appendingPathExtension(format)
                guard files.contains(reference) else { continue }
                let name = Corpora.name(of: file)
                switch try difference(file, from: reference) {
                case .success(let value):
                    differences[value, default: 0] += 1
                    // Two references come from decoders with another inverse DCT.
                    #expect(value <= 3, "\(name)")
                case .failure(let error) where error.kind == .unsupported: unsupported += 1
                case .failure(let error): Issue.record("\(name): \(error)")
                }
            }
        }
        let counts = differences.sorted { $0.key < $1.key }.map { "\($0.value) differ by at most \($0.key)" }
        #expect(!differences.isEmpty)
        print("jpeg references: \(counts.joined(separator: ", ")); \(unsupported) have none of use or are lossless")
    }

    private func difference(_ file: URL, from reference: URL) throws -> Result<Int, TexelError> {
        let bytes = try Corpora.bytes(reference)
        let expected = reference.pathExtension == "png" ? try bytes.decoded() : try #require(portablePixmap(bytes))
        let encoded = try Corpora.bytes(file)
        do throws(TexelError) {
            let image = try encoded.decoded(.none)
            // One reference is a grey copy of a colour file; skip it.
            let isCopy = expected.isGray && !image.isGray
            return isCopy ? .failure(.unsupported("a grey copy")) : .success(difference(image, expected))
        } catch {
            return .failure(error)
        }
    }

    private func difference(_ left: PixelBuffer, _ right: PixelBuffer) -> Int {
        left.size == right.size ? largestDifference(left, right).value : 256
    }

    // MARK: Orientation

    /// Images that differ only in their orientation are displayed in the same size.
    @Test func orientedImagesAgreeInSize() throws {
        var sizes: [String: [PixelSize: [String]]] = [:]
        for file in Corpora.files("exif-orientation") {
            guard ["jpg", "png"].contains(file.pathExtension) else { continue }
            let source = try Corpora.bytes(file).source()
            var options = DecodeOptions()
            options.shrink = source.info.format == .jpeg ? 8 : 1
            let image = try source.decodedAsStored(options).image.oriented(source.info.orientation)
            let shrunken = PixelSize(
                width: (source.info.displaySize.width + options.shrink - 1) / options.shrink,
                height: (source.info.displaySize.height + options.shrink - 1) / options.shrink)
            #expect(image.size == shrunken, "\(Corpora.name(of: file))")
            // Two series do not show one image: a file with an invalid orientation, and PNGs that were never rotated.
            let series = file.deletingLastPathComponent().lastPathComponent
            if series == "imgproxy" || file.lastPathComponent == "Landscape_9.jpg" { continue }
            sizes[series, default: [:]][source.info.displaySize, default: []].append(file.lastPathComponent)
        }
        #expect(!sizes.isEmpty)
        for (series, bySize) in sizes { #expect(bySize.count == 1, "\(series): \(bySize)") }
    }

    // MARK: Everything

    /// Every file, however damaged, is decoded or rejected with an error.
    @Test(.timeLimit(.minutes(30)))
    func everyFileEnds() throws {
        var limits = Limits()
        limits.pixels = 40_000_000
        var (decoded, refused) = (0, 0)
        let files = Corpora.files()
        for file in files {
            let bytes = try Corpora.bytes(file)
            do throws(TexelError) {
                let source = try bytes.source(limits)
                var options = DecodeOptions()
                options.policy.limits = limits
                // Large photographs are decoded at full size by the tests above.
                if (source.info.size.pixelCount ?? 0) > 2_000_000 { options.shrink = 8 }
                let result = try source.decodedAsStored(options)
                #expect(result.image.size.isPositive)
                decoded += 1
            } catch {
                #expect(!"\(error)".isEmpty)
                refused += 1
            }
        }
        #expect(decoded > 0)
        print("corpora: \(files.count) files, \(decoded) decoded, \(refused) refused")
    }
}
