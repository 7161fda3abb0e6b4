import TestImageWriting
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG

extension FuzzTarget {
    /// Decodes a JPEG at any scale, in bands of any height, and as planes.
    static let jpeg = FuzzTarget("jpeg", maximumLength: 1 << 15) { bytes, choices in
        let options = DecodeOptions(&choices)
        let band = choices.one(of: [1, 3, 8, 32, 1000])
        let file = InputBytes(bytes)
        let whole = Outcome { () throws(TexelError) in
            try CodecRegistry.shared.open(file, limits: options.policy.limits).decodedAsStored(options)
        }
        expectSame(whole, as: file, options, underStrictness: &choices)
        guard let source = try? CodecRegistry.shared.open(file, limits: options.policy.limits) else {
            return expect(!whole.isImage, "what cannot be probed cannot be decoded")
        }
        if case .image(let size, _, _, let checksum, _) = whole, source.info.format == .jpeg {
            let shrink = options.shrink
            let expected = PixelSize(
                width: (source.info.size.width + shrink - 1) / shrink,
                height: (source.info.size.height + shrink - 1) / shrink)
            expect(size == expected, "a shrunken picture is rounded up: \(size), not \(expected)")
            expect(rows(of: source, options, band)?.checksum == checksum, "bands of \(band) rows make the same picture")
        }
        planes(of: source, options)
    }

    /// Compares Texel's own decoders of scans with libjpeg's, on files whole or damaged.
    static let jpegScan = FuzzTarget("jpeg-scan", maximumLength: 1 << 14) { bytes, choices in
        let output = choices.one(of: JPEGScanOutcome.Output.allCases)
        let denominator = choices.one(of: [1, 2, 4, 8])
        let skipsScans = choices.isSet()
        let own = JPEGScanOutcome(
            bytes, output, denominator: denominator, byLibrary: false, skipsScans: skipsScans)
        let library = JPEGScanOutcome(
            bytes, output, denominator: denominator, byLibrary: true, skipsScans: skipsScans)
        expect(own == library, "libjpeg gives the same \(output) at 1/\(denominator), warnings and error")
    }

    /// Decodes a file while it arrives in pieces and compares the result with that of the whole file.
    static let arriving = FuzzTarget("arriving", maximumLength: 1 << 14) { bytes, choices in
        let options = DecodeOptions(&choices)
        let bytes = choices.isSet() ? withRightChecksums(bytes) : bytes
        let largest = choices.one(of: [1, 7, 100, 1000, 5000, 1 << 20])
        let whole = Outcome { () throws(TexelError) in
            try CodecRegistry.shared.open(InputBytes(bytes), limits: options.policy.limits).decodedAsStored(options)
        }
        let pieces = outcome(ofArriving: bytes, options) { position in
            // Use small pieces only for the headers, so that input by single bytes does not take too long.
            min(bytes.count - position, position < 600 ? largest : max(largest, 1000))
        }
        // Which of two errors is found first may depend on the bytes available.
        let areFailures = pieces?.isImage == false && !whole.isImage
        expect(pieces == whole || areFailures, "pieces make \(pieces.map { "\($0)" } ?? "nothing"), the whole \(whole)")
    }
}

/// Decodes the image in bands of `band` rows.
private func rows(of source: any ImageFile, _ options: DecodeOptions, _ band: Int) -> PixelBuffer? {
    guard let decoder = try? source.decoder(options),
        var image = try? PixelBuffer(
            uninitialized: decoder.size, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
    else { return nil }
    let (height, bytesPerRow) = (image.height, image.bytesPerRow)
    let isRead: Bool = image.withUnsafeMutableBytes { rows in
        guard let base = rows.baseAddress else { return false }
        do throws(TexelError) {
            for y in stride(from: 0, to: height, by: band) {
                try decoder.readRows(min(band, height - y), into: base + y * bytesPerRow, bytesPerRow: bytesPerRow)
            }
            _ = try decoder.finish()
            return true
        } catch {
            return false
        }
    }
    return isRead ? image : nil
}

/// Reads all samples of all planes.
private func planes(of source: any ImageFile, _ options: DecodeOptions) {
    do throws(TexelError) {
        let decoder = try source.planeDecoder(options)
        let band = try decoder.makeBand(2)
        var (rows, sum) = (decoder.layouts.map { _ in 0 }, UInt64(0))
        while try decoder.read(into: band) {
            for (index, plane) in band.planes.enumerated() {
                rows[index] += band.rowCounts[index]
                let width = decoder.layouts[index].size.width
                plane.withUnsafeSamples { samples in
                    for y in 0..<band.rowCounts[index] {
                        for x in 0..<width { sum = sum &* 31 &+ UInt64(samples[y * plane.bytesPerRow + x]) }
                    }
                }
            }
        }
        _ = try decoder.finish()
        expect(rows == decoder.layouts.map(\.size.height), "all rows of all planes come: \(rows) \(sum)")
    } catch {
        expectSentence(error)
    }
}
