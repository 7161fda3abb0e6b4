import TexelCodecs
import TexelCore
import TexelPixels

/// The samples of a PNG, or of one frame of an animation, as they are stored: packed rows of any bit depth, unfiltered
/// and deinterlaced.
struct PNGSamples: Sendable {
    let size: PixelSize
    let colorType: PNGPixelFormat.ColorType
    let bitDepth: Int
    let bytesPerRow: Int
    /// `size.height` rows of `bytesPerRow` bytes, and the margin that kernels need after a row.
    private let bytes: [UInt8]

    /// Reads the pixels of a file.
    ///
    /// - Parameters:
    ///   - header: the header; its `inflatedBytes` have been checked against the limits.
    ///   - position: the position of the first IDAT chunk.
    /// - Returns: `nil` if the compressed pixels are damaged or have the wrong length.
    /// - Throws: `stopped`.
    init?(
        _ file: PNGFile, _ header: PNGFile.Header, at position: Int, _ options: DecodeOptions
    ) throws(TexelError) {
        guard let colorType = PNGPixelFormat.ColorType(rawValue: Int32(header.colorType)) else { return nil }
        self.colorType = colorType
        let size = PixelSize(width: header.width, height: header.height)
        self.size = size
        bitDepth = header.bitDepth
        let bitsPerPixel = PNGPixelFormat(storing: colorType, bitDepth: bitDepth).bitsPerPixel
        bytesPerRow = (size.width * bitsPerPixel + 7) / 8
        var reader = PassReader(file, header, at: position, bitsPerPixel: bitsPerPixel, options)
        var bytes = [UInt8](repeating: 0, count: size.height * bytesPerRow + PNGRowConverter.margin)
        let bytesPerRow = bytesPerRow
        let isSound = try reader.readRows { row, width, pass, y throws(TexelError) in
            if pass == .whole { options.rowCounter?.advance(by: 1) }
            bytes.withUnsafeMutableBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                // Inside the buffer: all rows of a pass are rows of the image.
                pass.scatter(row, width, bitsPerPixel: bitsPerPixel, into: base + y * bytesPerRow)
            }
            return true
        }
        guard isSound else { return nil }
        self.bytes = bytes
    }

    /// The format in which these samples are stored.
    var reduction: PNGPixelFormat { PNGPixelFormat(storing: colorType, bitDepth: bitDepth) }

    /// Calls a closure with the samples of row `y`.
    func withRow<Result>(_ y: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result? {
        bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { body($0 + y * bytesPerRow) } }
    }

    /// Calls a closure with the bytes of all samples.
    func withSamples<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<(size.height * bytesPerRow)])) }
    }

    /// Writes row `y` in the format of `reduction`.
    ///
    /// - Parameter reduction: these samples' own format or, for 16 bits, one with fewer channels.
    func pack(_ y: Int, as reduction: PNGPixelFormat, into row: UnsafeMutablePointer<UInt8>) {
        _ = withRow(y) { source in
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
        samples.withSamples { bytes in
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
