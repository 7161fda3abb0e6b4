import TexelCodecs
import CPixelKernels
import TexelPixels

/// The samples of a PNG, or of one frame of an animation, as they are stored: packed rows of any bit depth, unfiltered
/// and deinterlaced.
struct PNGSamples: Sendable {
    let size: PixelSize
    let colorType: PNGPixelFormat.ColorType
    let bitDepth: Int
    let bytesPerRow: Int
    /// `size.height` rows of `bytesPerRow` bytes.
    let bytes: [UInt8]

    /// Reads the pixels of a file.
    ///
    /// - Parameters:
    ///   - header: the header; its `inflatedBytes` have been checked against the limits.
    ///   - position: the position of the first IDAT chunk.
    /// - Returns: `nil` if the compressed pixels are damaged or have the wrong length.
    /// - Throws: `stopped`.
    init?(
        _ file: PNGFile, _ header: PNGFile.Header, at position: Int, _ options: DecodeOptions
    ) throws(CodecError) {
        guard let colorType = PNGPixelFormat.ColorType(rawValue: Int32(header.colorType)) else { return nil }
        self.colorType = colorType
        let size = PixelSize(width: header.width, height: header.height)
        self.size = size
        bitDepth = header.bitDepth
        let bitsPerPixel = PNGPixelFormat(storing: colorType, bitDepth: bitDepth).bitsPerPixel
        bytesPerRow = (size.width * bitsPerPixel + 7) / 8
        let passes = header.isInterlaced ? InterlacePass.adam7 : [InterlacePass.whole]
        let data = PNGPixelData(file, at: position, waitsForChunks: false, options.stop)
        let count = passes.reduce(0) { $0 + $1.filteredByteCount(of: size, bitsPerPixel: bitsPerPixel) }
        let inflater = Inflater(data, count: count)
        // The rows of the passes have different lengths.
        let source =
            header.isInterlaced
            ? FilteredRowBuffer(inflater, piece: bytesPerRow + 1)
            : FilteredRowBuffer.rows(
                inflater, rowCount: size.height, bytesPerRow: bytesPerRow + 1, parallelism: options.parallelism)
        var reader = SampleReader(source, rowBytes: bytesPerRow, bitsPerPixel: bitsPerPixel, options)
        var bytes = [UInt8](repeating: 0, count: size.height * bytesPerRow)
        for pass in passes {
            guard try reader.read(pass, of: size, into: &bytes) else {
                if let interruption = source.interruption { throw interruption }
                return nil
            }
        }
        guard source.isAtEnd() else {
            if let interruption = source.interruption { throw interruption }
            return nil
        }
        self.bytes = bytes
    }

    /// The format in which these samples are stored.
    var reduction: PNGPixelFormat { PNGPixelFormat(storing: colorType, bitDepth: bitDepth) }

    /// Writes row `y` in the format of `reduction`.
    ///
    /// - Parameter reduction: these samples' own format or, for 16 bits, one with fewer channels.
    func pack(_ y: Int, as reduction: PNGPixelFormat, into row: UnsafeMutablePointer<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            let source = base + y * bytesPerRow
            if reduction.colorType == colorType { return row.update(from: source, count: bytesPerRow) }
            // Grey is the first channel, alpha the last.
            let channels = colorType.channelCount
            let kept: [Int] =
                switch reduction.colorType {
                case .gray: [0]
                case .grayAlpha: [0, channels - 1]
                case .rgb: [0, 1, 2]
                case .rgba, .palette: Array(0..<channels)
                }
            var target = row
            for x in 0..<size.width {
                for channel in kept {
                    let sample = source + 2 * (x * channels + channel)
                    (target[0], target[1]) = (sample[0], sample[1])
                    target += 2
                }
            }
        }
    }
}

/// The common properties of all 16-bit samples.
struct PNGSampleSurvey {
    private(set) var isOpaque = true
    private(set) var isGray = true
    /// Whether each sample is an 8-bit value times 257, so that 8 bits store it exactly.
    private(set) var fitsEightBits = true

    /// - Parameter samples: samples of 16 bits.
    init(_ samples: PNGSamples) {
        let channels = samples.colorType.channelCount
        let hasAlpha = samples.colorType == .rgba || samples.colorType == .grayAlpha
        let isColor = channels >= 3
        samples.bytes.withUnsafeBytes { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 2 * channels) {
                for sample in stride(from: pixel, to: pixel + 2 * channels, by: 2)
                where bytes[sample] != bytes[sample + 1] { fitsEightBits = false }
                if hasAlpha {
                    let alpha = pixel + 2 * (channels - 1)
                    if bytes[alpha] & bytes[alpha + 1] != 255 { isOpaque = false }
                }
                if isColor, isGray {
                    isGray =
                        bytes[pixel] == bytes[pixel + 2] && bytes[pixel] == bytes[pixel + 4]
                        && bytes[pixel + 1] == bytes[pixel + 3] && bytes[pixel + 1] == bytes[pixel + 5]
                }
                if !fitsEightBits, !hasAlpha || !isOpaque, !isColor || !isGray { return }
            }
        }
    }
}

/// The pixels that are stored together: the whole image, or one of the seven passes of Adam7 (PNG specification, third
/// edition, 8.2).
private struct InterlacePass {
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int

    static let whole = InterlacePass(x: 0, y: 0, stepX: 1, stepY: 1)
    static let adam7 = [
        InterlacePass(x: 0, y: 0, stepX: 8, stepY: 8), InterlacePass(x: 4, y: 0, stepX: 8, stepY: 8),
        InterlacePass(x: 0, y: 4, stepX: 4, stepY: 8), InterlacePass(x: 2, y: 0, stepX: 4, stepY: 4),
        InterlacePass(x: 0, y: 2, stepX: 2, stepY: 4), InterlacePass(x: 1, y: 0, stepX: 2, stepY: 2),
        InterlacePass(x: 0, y: 1, stepX: 1, stepY: 2),
    ]

    func size(of image: PixelSize) -> PixelSize {
        PixelSize(
            width: max(0, (image.width - x + stepX - 1) / stepX),
            height: max(0, (image.height - y + stepY - 1) / stepY))
    }

    /// Returns the size of all filtered rows of this pass in bytes; 0 for a pass without pixels.
    func filteredByteCount(of image: PixelSize, bitsPerPixel: Int) -> Int {
        let size = size(of: image)
        return size.width == 0 ? 0 : size.height * ((size.width * bitsPerPixel + 7) / 8 + 1)
    }
}

/// Removes filters and interlacing.
private struct SampleReader: ~Copyable {
    private let source: any FilteredRows
    private let bitsPerPixel: Int
    private let options: DecodeOptions
    private let kernels = texel_kernels_in_use().pointee
    private let memory: UnsafeMutablePointer<UInt8>
    private let rowSize: Int

    /// Kernels may access some bytes after a row.
    private static let margin = 64

    /// - Parameter rowBytes: the size of the longest row in bytes.
    init(_ source: any FilteredRows, rowBytes: Int, bitsPerPixel: Int, _ options: DecodeOptions) {
        self.source = source
        self.bitsPerPixel = bitsPerPixel
        self.options = options
        rowSize = rowBytes + Self.margin
        memory = .allocate(capacity: 2 * rowSize)
    }

    deinit { memory.deallocate() }

    /// Reads a pass into the rows of the whole image.
    ///
    /// - Returns: false if the data is damaged or too short.
    mutating func read(
        _ pass: InterlacePass, of image: PixelSize, into bytes: inout [UInt8]
    ) throws(CodecError) -> Bool {
        let size = pass.size(of: image)
        guard size.width > 0, size.height > 0 else { return true }
        let rowBytes = (size.width * bitsPerPixel + 7) / 8
        let imageRowBytes = (image.width * bitsPerPixel + 7) / 8
        memory.initialize(repeating: 0, count: 2 * rowSize)
        var (above, row) = (memory, memory + rowSize)
        for y in 0..<size.height {
            if y % 64 == 0 { try options.stop?.check() }
            guard let filtered = source.peek(rowBytes + 1), filtered[0] <= 4 else { return false }
            kernels.png_unfilter_row(
                row, filtered + 1, above, rowBytes, max(1, bitsPerPixel / 8), Int32(filtered[0]))
            source.take(rowBytes + 1)
            bytes.withUnsafeMutableBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                // Inside the buffer: all rows of the pass are rows of the image.
                let target = base + (pass.y + y * pass.stepY) * imageRowBytes
                if pass.stepX == 1 {
                    target.update(from: row, count: rowBytes)
                } else {
                    scatter(row, size.width, pass, into: target)
                }
            }
            swap(&above, &row)
            options.rowCounter?.advance(by: pass.stepX == 1 && pass.stepY == 1 ? 1 : 0)
        }
        return true
    }

    private func scatter(
        _ row: UnsafeMutablePointer<UInt8>, _ width: Int, _ pass: InterlacePass,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        if bitsPerPixel >= 8 {
            let size = bitsPerPixel / 8
            for x in 0..<width { (target + (pass.x + x * pass.stepX) * size).update(from: row + x * size, count: size) }
            return
        }
        let mask = UInt8(1 << bitsPerPixel - 1)
        for x in 0..<width {
            let (from, to) = (x * bitsPerPixel, (pass.x + x * pass.stepX) * bitsPerPixel)
            let value = row[from / 8] >> UInt8(8 - bitsPerPixel - from % 8) & mask
            target[to / 8] |= value << UInt8(8 - bitsPerPixel - to % 8)
        }
    }
}
