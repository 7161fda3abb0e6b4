import Foundation
import TestImageWriting
import TestSupport
import Testing
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct ProgressiveScansTests {
    private func finder(_ bytes: [UInt8], scanLimit: Int = 500) throws -> ProgressiveScans {
        try #require(bytes.source().scans(limit: scanLimit) as? ProgressiveScans)
    }

    /// Checks what holds for every valid file; returns the difference of each preview from the final image.
    @discardableResult
    private func check(_ bytes: [UInt8], _ name: String) throws -> [Double] {
        var scans = try finder(bytes)
        scans.advance()
        let final = try bytes.decoded()
        var differences: [Double] = []
        for count in scans.worthwhile {
            let preview = try #require(scans.preview(after: count))
            let decoded = try preview.decodedAsStored()
            #expect(decoded.image.size == final.size && decoded.warnings == [], "\(name) after \(count)")
            let new = meanDifference(decoded.image, final)
            #expect(new <= (differences.last ?? 32) * 1.05 + 0.1, "\(name) after \(count) scans")
            differences.append(new)
        }
        #expect(scans.worthwhile.count <= 4, "\(name)")
        #expect(scans.preview(after: 0) == nil && scans.preview(after: scans.completeScans + 1) == nil)
        let last = try #require(scans.preview(after: scans.completeScans), "\(name)")
        #expect(try last.decodedAsStored().image == final, "\(name)")
        return differences
    }

    @Test(arguments: [JPEGWriter.Color.gray, .yCbCr, .rgb, .cmyk, .ycck])
    func everyKindHasAtLeastTwoPreviews(color: JPEGWriter.Color) throws {
        let size = PixelSize(width: 97, height: 61)
        for sampling: (Int32, Int32) in [(1, 1), (2, 2)] {
            var writer = JPEGWriter(size, color)
            writer.sampling = sampling
            writer.isProgressive = true
            let channels = color == .gray ? 1 : 4
            let samples = (0..<(size.width * size.height * channels)).map { index -> UInt8 in
                let (pixel, channel) = (index / channels, index % channels)
                return UInt8(truncatingIfNeeded: pixel % size.width + pixel / size.width * 2 + channel * 30) / 2 + 40
            }
            let differences = try check(try writer.bytes(samples), "\(color) \(sampling)")
            #expect(differences.count >= 2)
        }
    }

    @Test func othersHaveNone() throws {
        for name in ["photograph.jpg", "photograph.png", "interlaced-rgba.png"] {
            #expect(try TestFolders.testImage(name).source().scans(limit: 500) == nil)
        }
    }

    /// In a file that arrives byte by byte, each scan is found when the marker after it has arrived.
    @Test func foundAsTheyArrive() throws {
        let bytes = try TestFolders.testImage("progressive.jpg")
        var whole = try finder(bytes)
        whole.advance()
        #expect(whole.completeScans == 10)
        #expect(whole.worthwhile == [1, 2, 5, 6])
        let arriving = try ArrivingBytes(expectedCount: nil, limit: bytes.count)
        let header = try JPEGFile(InputBytes(bytes)).scanStart + 2
        try arriving.append(bytes, 0..<header)
        var scans = try #require(
            CodecRegistry.shared.open(arriving: arriving, stop: nil).scans(limit: 500) as? ProgressiveScans)
        var found: [Int] = []
        for position in header..<bytes.count {
            try arriving.append(bytes, position..<(position + 1))
            let before = scans.completeScans
            let isNew = scans.advance()
            if scans.completeScans > before {
                found.append(scans.completeScans)
                // The marker that ends the scan has just arrived.
                #expect(bytes[position - 1] == 0xFF && bytes[position] >= 0xC0)
                // Decoding needs only the bytes that have arrived, so nothing waits.
                let preview = try scans.preview(after: scans.completeScans)?.decodedAsStored().image
                #expect(try preview == whole.preview(after: scans.completeScans)?.decodedAsStored().image)
            }
            #expect(isNew == (scans.completeScans > before && whole.worthwhile.contains(scans.completeScans)))
        }
        #expect(found == Array(1...10))
        #expect(scans.worthwhile == whole.worthwhile)
    }

    /// Previews can be decoded in the same ways as images.
    @Test(arguments: [1, 2, 4, 8]) func shrunkenAndAsPlanes(shrink: Int) throws {
        let bytes = try TestFolders.testImage("progressive.jpg")
        var scans = try finder(bytes)
        scans.advance()
        var options = DecodeOptions()
        options.shrink = shrink
        for count in scans.worthwhile + [scans.completeScans] {
            let preview = try #require(scans.preview(after: count))
            let image = try preview.decodedAsStored(options).image
            if count == scans.completeScans { #expect(try image == bytes.source().decodedAsStored(options).image) }
            let planes = try preview.planeDecoder(options)
            let band = try planes.makeBand(1)
            while try planes.read(into: band) {}
            _ = try planes.finish()
        }
    }

    // MARK: Hostile files

    /// Returns the scans of a file: each from its header to the next.
    private func scans(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let starts = (0..<(bytes.count - 1)).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        return zip(starts, starts.dropFirst() + [bytes.count - 2]).map { bytes[$0..<$1] }
    }

    @Test func aThousandScans() throws {
        let bytes = try TestFolders.testImage("progressive.jpg")
        let parts = scans(of: bytes)
        let head = bytes[..<parts[0].startIndex]
        let many = Array(head) + parts[0] + (0..<1000).flatMap { _ in parts[1] } + [0xFF, 0xD9]
        var limited = try finder(many)
        limited.advance()
        #expect(limited.completeScans == 500)
        #expect(limited.worthwhile == [1, 2])
        var few = try finder(many, scanLimit: 3)
        few.advance()
        #expect(few.completeScans == 3)
    }

    @Test func cutFilesPreviewOnlyWholeScans() throws {
        let bytes = try TestFolders.testImage("progressive.jpg")
        var whole = try finder(bytes)
        whole.advance()
        let images = try whole.worthwhile.map { try whole.preview(after: $0)?.decodedAsStored().image }
        var generator = SeededGenerator(seed: 9)
        let header = try JPEGFile(InputBytes(bytes)).scanStart + 2
        for _ in 0..<40 {
            let cut = Array(bytes.prefix(Int.random(in: header...bytes.count, using: &generator)))
            var scans = try finder(cut)
            scans.advance()
            let found = try scans.worthwhile.map { try scans.preview(after: $0)?.decodedAsStored().image }
            #expect(found == Array(images.prefix(found.count)))
        }
    }

    /// Damage anywhere is safe; the decoder decides whether a preview is valid.
    @Test func decoderRefusesDamagedPreviews() throws {
        let sound = try TestFolders.testImage("progressive.jpg")
        var generator = SeededGenerator(seed: 10)
        var (decoded, refused) = (0, 0)
        for _ in 0..<150 {
            var bytes = sound
            for _ in 0..<4 {
                bytes[Int.random(in: bytes.indices, using: &generator)] =
                    [0xFF, 0xDA, 0, 3].randomElement(using: &generator) ?? 0
            }
            guard let source = try? bytes.source(), var scans = source.scans(limit: 500) else {
                continue
            }
            scans.advance()
            #expect(scans.worthwhile.count <= 4)
            for count in scans.worthwhile {
                if (try? scans.preview(after: count)?.decodedAsStored()) == nil { refused += 1 } else { decoded += 1 }
            }
        }
        #expect(decoded > 100 && refused > 0)
    }

    /// Segments of maximum length and comments between scans do not end the search.
    @Test func longSegmentsDoNotEndTheSearch() throws {
        let bytes = try TestFolders.testImage("progressive.jpg")
        let parts = scans(of: bytes)
        let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + Array(repeating: 0xFF, count: 65533)
        let large = Array(bytes[..<parts[0].startIndex]) + parts.flatMap { comment + $0 } + comment + [0xFF, 0xD9]
        var scans = try finder(large)
        scans.advance()
        #expect(scans.completeScans == 10)
        #expect(scans.worthwhile == [1, 2, 5, 6])
        #expect(try scans.preview(after: 10)?.decodedAsStored().image == bytes.decoded())
    }

    @Test(.enabled(if: Corpora.isThere, "TEXEL_CORPORA names no folder"))
    func previewsOfRealFilesImprove() throws {
        var (checked, first) = (0, [Double]())
        for file in Corpora.files() where !Corpora.name(of: file).hasPrefix("malformed") {
            let bytes = try Corpora.bytes(file)
            var strict = DecodeOptions()
            strict.policy.strictness = .error
            guard bytes.starts(with: [0xFF, 0xD8]), let source = try? bytes.source(), source.info.isProgressive,
                // Larger files take too long for five decodings each.
                source.info.size.pixelCount ?? .max < 3_000_000,
                (try? source.decodedAsStored(strict)) != nil
            else { continue }
            let differences = try check(bytes, Corpora.name(of: file))
            checked += 1
            if let difference = differences.first { first.append(difference) }
        }
        #expect(checked > 0)
        print("previews: \(checked) progressive files; first ones differ by \(first.sorted()) on average")
    }
}
