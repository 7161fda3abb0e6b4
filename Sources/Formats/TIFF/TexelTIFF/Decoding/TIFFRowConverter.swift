import TexelCodecs
import TexelPixels

/// Converts stored rows to BGRA32.
final class TIFFRowConverter {
    private let layout: TIFFLayout
    private let reader: TIFFSampleReader
    private let colors: Colors
    /// A row of each sample that is used: the colours and the alpha.
    private let samples: [UnsafeMutableBufferPointer<UInt16>]
    private let inks: TIFFMemory?
    /// Whether greys and colours of more than 8 bits are dithered.
    private let dithers: Bool

    private enum Colors {
        /// Bytes for each number.
        case gray([UInt8])
        case rgb([UInt8])
        /// Pixels for each number.
        case palette([UInt32])
        case cmyk([UInt8], CMYKConversion)
        case yCbCr(TIFFYCbCr)
    }

    /// - Parameters:
    ///   - palette: the colours of a palette image.
    ///   - profile: a profile of CMYK, if the image has one.
    ///   - hasFileOrder: whether numbers of two bytes are in the file's byte order.
    ///   - dithers: whether samples of more than 8 bits are dithered.
    init(
        _ layout: TIFFLayout, order: ByteOrder, hasFileOrder: Bool, palette: TIFFPalette, profile: ICCProfile?,
        conversion: TIFFYCbCr, dithers: Bool
    ) {
        self.layout = layout
        self.dithers = dithers && layout.bits > 8
        reader = TIFFSampleReader(
            bits: layout.bits, step: layout.samplesOfPlane, isBigEndian: hasFileOrder && order == .bigEndian)
        let bytes = Self.bytes(bits: layout.bits)
        switch layout.decodedColor {
        case .gray(let whiteIsZero): colors = .gray(whiteIsZero ? bytes.reversed() : bytes)
        case .rgb: colors = .rgb(bytes)
        case .palette: colors = .palette(palette.pixels(bits: layout.bits))
        case .cmyk: colors = .cmyk(bytes, CMYKConversion(profile: profile, isInverted: false))
        case .yCbCr: colors = .yCbCr(conversion)
        }
        let used = layout.color.sampleCount + (layout.alpha == .none ? 0 : 1)
        samples = (0..<used).map { _ in .allocate(capacity: layout.size.width) }
        for row in samples { row.initialize(repeating: 0) }
        // A row of pixels fits in memory, so this does not overflow.
        inks = layout.color == .cmyk ? try? TIFFMemory(layout.size.width * 4) : nil
    }

    deinit { for row in samples { row.deallocate() } }

    /// The nearest of 255 steps for each sample: (v · 255 + max / 2) / max, as for PNG.
    private static func bytes(bits: Int) -> [UInt8] {
        let maximum = 1 << bits - 1
        return (0...maximum).map { UInt8(truncatingIfNeeded: ($0 * 255 + maximum / 2) / maximum) }
    }

    /// Converts a row.
    ///
    /// - Parameters:
    ///   - planes: a stored row of each plane.
    ///   - line: the row of the image among those of the stored row.
    ///   - y: the row of the image.
    ///   - pixels: `width` pixels.
    func convert(
        _ planes: [UnsafePointer<UInt8>], line: Int, y: Int, into pixels: UnsafeMutableBufferPointer<UInt32>
    ) {
        guard let first = planes.first, !convertQuickly(first, into: pixels) else { return }
        if layout.hasGroups, case .yCbCr(let conversion) = colors {
            return convertGroups(first, line: line, conversion, into: pixels)
        }
        for (index, row) in samples.enumerated() {
            if layout.isSeparate {
                reader.read(0, of: planes[index], into: row)
            } else {
                reader.read(index, of: first, into: row)
            }
        }
        if !dithers || !dither(y, into: pixels) { convertSamples(into: pixels) }
        applyAlpha(to: pixels)
    }

    /// Dithers greys and colours; returns false for other samples.
    private func dither(_ y: Int, into pixels: UnsafeMutableBufferPointer<UInt32>) -> Bool {
        let isInverted: Bool
        switch layout.decodedColor {
        case .gray(let whiteIsZero): isInverted = whiteIsZero
        case .rgb: isInverted = false
        case .palette, .cmyk, .yCbCr: return false
        }
        let last = layout.color.sampleCount - 1
        let (red, green, blue) = (samples[0], samples[min(1, last)], samples[min(2, last)])
        let maximum = 1 << layout.bits - 1
        for x in pixels.indices {
            let threshold = Dithering.threshold(x: x, y: y)
            func byte(_ row: UnsafeMutableBufferPointer<UInt16>) -> UInt32 {
                let sample = isInverted ? maximum - Int(row[x]) : Int(row[x])
                return UInt32(Dithering.byte(sample, maximum: maximum, threshold: threshold))
            }
            pixels[x] = 0xFF00_0000 | byte(red) << 16 | byte(green) << 8 | byte(blue)
        }
        return true
    }

    /// Converts the most frequent kinds of rows in one step; returns false for other rows.
    private func convertQuickly(
        _ row: UnsafePointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt32>
    ) -> Bool {
        guard layout.bits == 8, !layout.isSeparate, case .rgb = colors,
            let target = pixels.baseAddress
        else { return false }
        switch (layout.samples, layout.alpha) {
        case (3, _): InterleavedBytes(.rgb).convert(row, count: pixels.count, into: target)
        case (4, .unassociated), (4, .assumed): InterleavedBytes(.rgba).convert(row, count: pixels.count, into: target)
        default: return false
        }
        return true
    }

    /// Converts a line of a row of groups: luma samples of each, then Cb and Cr (TIFF 6.0, section 21).
    private func convertGroups(
        _ row: UnsafePointer<UInt8>, line: Int, _ conversion: TIFFYCbCr,
        into pixels: UnsafeMutableBufferPointer<UInt32>
    ) {
        let across = layout.subsampling.width
        let chroma = across * layout.subsampling.height
        for x in pixels.indices {
            // The row has a group for each `across` pixels or part of them.
            let group = row + x / across * (chroma + 2)
            pixels[x] = conversion.pixel(
                Int(group[line * across + x % across]), Int(group[chroma]), Int(group[chroma + 1]))
        }
    }

    private func convertSamples(into pixels: UnsafeMutableBufferPointer<UInt32>) {
        switch colors {
        case .gray(let bytes):
            let gray = samples[0]
            bytes.withUnsafeBufferPointer { bytes in
                // A sample is below the number of bytes, which is 2 to the power of its bits.
                for x in pixels.indices { pixels[x] = 0xFF00_0000 | UInt32(bytes[Int(gray[x])]) * 0x1_0101 }
            }
        case .rgb(let bytes):
            let (red, green, blue) = (samples[0], samples[1], samples[2])
            bytes.withUnsafeBufferPointer { bytes in
                for x in pixels.indices {
                    let (r, g) = (UInt32(bytes[Int(red[x])]), UInt32(bytes[Int(green[x])]))
                    pixels[x] = 0xFF00_0000 | r << 16 | g << 8 | UInt32(bytes[Int(blue[x])])
                }
            }
        case .palette(let table):
            let index = samples[0]
            table.withUnsafeBufferPointer { table in
                for x in pixels.indices { pixels[x] = table[Int(index[x])] }
            }
        case .yCbCr(let conversion):
            for x in pixels.indices {
                pixels[x] = conversion.pixel(Int(samples[0][x]), Int(samples[1][x]), Int(samples[2][x]))
            }
        case .cmyk(let bytes, let conversion):
            guard let inks, let target = pixels.baseAddress else { return }
            for x in pixels.indices {
                for ink in 0..<4 { inks.base[4 * x + ink] = bytes[Int(samples[ink][x])] }
            }
            conversion.convert(inks.base, to: target, count: pixels.count)
        }
    }

    private func applyAlpha(to pixels: UnsafeMutableBufferPointer<UInt32>) {
        guard layout.alpha != .none, let alpha = samples.last else { return }
        let maximum = UInt64(1) << UInt64(layout.bits) - 1
        func byte(_ value: UInt16) -> UInt64 { (UInt64(value) * 255 + maximum / 2) / maximum }
        let count = layout.color.sampleCount
        guard layout.alpha == .associated, let isInverted = isInvertedBeforeDivision else {
            for x in pixels.indices { pixels[x] = pixels[x] & 0xFF_FFFF | UInt32(byte(alpha[x])) << 24 }
            return
        }
        // The colours are divided at their full depth: min(255, (colour × 255 + alpha / 2) / alpha).
        for x in pixels.indices {
            let divisor = UInt64(alpha[x])
            guard divisor > 0 else {
                pixels[x] = 0
                continue
            }
            func color(_ index: Int) -> UInt32 {
                var value = UInt64(samples[min(index, count - 1)][x])
                if isInverted { value = maximum - value }
                return UInt32(min(255, (value * 255 + divisor / 2) / divisor))
            }
            pixels[x] = UInt32(byte(alpha[x])) << 24 | color(0) << 16 | color(1) << 8 | color(2)
        }
    }

    /// Whether colours are inverted before they are divided by alpha; `nil` for inks, palettes and YCbCr, which are not
    /// divided.
    private var isInvertedBeforeDivision: Bool? {
        switch layout.decodedColor {
        case .gray(let whiteIsZero): whiteIsZero
        case .rgb: false
        case .palette, .cmyk, .yCbCr: nil
        }
    }
}
