import CPixelKernels
import TexelCodecs
import TexelPixels

/// Converts unfiltered rows of a PNG of any format to BGRA with straight alpha.
final class PNGRowConverter {
    /// The meaning of a row's bytes, once there is one for each sample.
    private enum Kind {
        case bytes(InterleavedBytes)
        /// The colours of all samples as straight pixels 0xAARRGGBB.
        case table([UInt32])
    }

    private let kind: Kind
    private let bitDepth: Int
    private let channels: Int
    /// The stored bytes of the pixels that are transparent; `nil` if the table says it, or if no pixels are.
    private let colorKey: [UInt8]?
    /// Whether samples of 16 bits are dithered.
    private let dithers: Bool
    private let kernels = texel_kernels_in_use().pointee
    /// A row with one byte for each sample; `nil` if the file's have.
    private let narrow: UnsafeMutablePointer<UInt8>?

    /// Kernels may access some bytes after a row.
    static let margin = 64

    /// - Parameters:
    ///   - palette: for colour type 3, straight pixels 0xAARRGGBB.
    ///   - colorKey: for colour types 0 and 2, the samples in tRNS.
    /// - Returns: `nil` for an unknown colour type.
    init?(_ header: PNGFile.Header, palette: [UInt32], colorKey: [UInt16]?, dithers: Bool) {
        let depth = header.bitDepth
        let key = colorKey?.map { $0 & UInt16(truncatingIfNeeded: 1 << depth - 1) }
        switch header.colorType {
        case 0 where depth < 8 || depth == 8 && key != nil:
            (kind, channels) = (.table(Self.grays(depth, transparent: key?.first)), 1)
        case 0: (kind, channels) = (.bytes(InterleavedBytes(.gray)), 1)
        case 2: (kind, channels) = (.bytes(InterleavedBytes(.rgb)), 3)
        case 3: (kind, channels) = (.table(palette), 1)
        case 4: (kind, channels) = (.bytes(InterleavedBytes(.grayAlpha)), 2)
        case 6: (kind, channels) = (.bytes(InterleavedBytes(.rgba)), 4)
        default: return nil
        }
        bitDepth = depth
        if case .table = kind {
            self.colorKey = nil
        } else {
            self.colorKey = key?.flatMap { depth == 16 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
        }
        self.dithers = dithers
        narrow = depth == 8 ? nil : .allocate(capacity: header.width * channels + Self.margin)
    }

    deinit { narrow?.deallocate() }

    /// The number of bits per stored pixel.
    var bitsPerPixel: Int { channels * bitDepth }

    /// The colours of grey samples of up to eight bits.
    private static func grays(_ depth: Int, transparent: UInt16?) -> [UInt32] {
        let white = UInt32(1) << UInt32(depth) - 1
        return (0...white).map { sample in
            (transparent.map { UInt32($0) } == sample ? 0 : 0xFF00_0000) | sample * (255 / white) * 0x1_0101
        }
    }

    /// Converts a row of the image, or of one pass of an interlaced image.
    ///
    /// - Parameters:
    ///   - row: the stored samples; up to `margin` bytes after them are read.
    ///   - width: the number of pixels, at most the width of the image.
    ///   - pass: the pass that the row belongs to.
    ///   - y: the row's number in the image.
    ///   - pixels: room for `width` pixels.
    /// - Returns: false for an index that is not in the palette.
    func convert(
        _ row: UnsafePointer<UInt8>, width: Int, pass: InterlacePass = .whole, y: Int,
        into pixels: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let samples: UnsafePointer<UInt8>
        if let narrow {
            if bitDepth < 8 {
                spread(row, width, into: narrow)
            } else if !dithers {
                kernels.png_narrow_row(narrow, row, width * channels)
            } else if pass.stepX == 1 {
                Dithering.narrow(row, to: narrow, pixels: width, channels: channels, y: y)
            } else {
                dither(row, width, pass, y: y, into: narrow)
            }
            samples = UnsafePointer(narrow)
        } else {
            samples = row
        }
        let isValid = UnsafeMutableRawPointer(pixels).withMemoryRebound(to: UInt32.self, capacity: width) { pixels in
            switch kind {
            case .bytes(let bytes):
                bytes.convert(samples, count: width, into: pixels)
                return true
            case .table(let colors): return Self.look(up: samples, in: colors, width, into: pixels)
            }
        }
        guard isValid else { return false }
        if let colorKey { clear(colorKey, in: row, width, of: pixels) }
        return true
    }

    /// Spreads samples of less than a byte, which are a pixel each.
    private func spread(_ row: UnsafePointer<UInt8>, _ width: Int, into bytes: UnsafeMutablePointer<UInt8>) {
        let mask = UInt8(1 << bitDepth - 1)
        for x in 0..<width {
            let bit = x * bitDepth
            bytes[x] = row[bit / 8] >> UInt8(8 - bitDepth - bit % 8) & mask
        }
    }

    /// Dithers a row of a pass, by the positions of its pixels in the image.
    private func dither(
        _ row: UnsafePointer<UInt8>, _ width: Int, _ pass: InterlacePass, y: Int,
        into bytes: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<width {
            let threshold = Dithering.threshold(x: pass.x + x * pass.stepX, y: y)
            for sample in (x * channels)..<((x + 1) * channels) {
                let value = Int(row[2 * sample]) << 8 | Int(row[2 * sample + 1])
                bytes[sample] = Dithering.byte(value, maximum: 65_535, threshold: threshold)
            }
        }
    }

    /// - Returns: false for an index that is not in the palette.
    private static func look(
        up samples: UnsafePointer<UInt8>, in colors: [UInt32], _ width: Int, into pixels: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        colors.withUnsafeBufferPointer { colors in
            for x in 0..<width {
                let index = Int(samples[x])
                guard index < colors.count else { return false }
                pixels[x] = colors[index]
            }
            return true
        }
    }

    /// Makes the pixels transparent whose stored bytes are the colour key.
    private func clear(
        _ colorKey: [UInt8], in row: UnsafePointer<UInt8>, _ width: Int, of pixels: UnsafeMutablePointer<UInt8>
    ) {
        let size = colorKey.count
        for x in 0..<width where (0..<size).allSatisfy({ row[x * size + $0] == colorKey[$0] }) {
            pixels[4 * x + 3] = 0
        }
    }
}
