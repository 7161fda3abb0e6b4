import TexelCodecs
import TexelCore
import TexelPixels

/// Reads the samples of an image row by row.
protocol PNMSampleReader: AnyObject {
    /// Whether a sample so far exceeded the maxval. It counts as the maxval.
    var hasExcess: Bool { get }

    /// Returns the next row with one byte for each sample, scaled to 0…255; valid until the next call. Returns `nil` if
    /// the file ends before the end of the row.
    ///
    /// - Throws: `damaged` for characters that are not samples; `stopped`.
    func row() throws(TexelError) -> UnsafeBufferPointer<UInt8>?
}

extension PNMHeader {
    /// The samples of a row, of which `depth` belong to a pixel. Only called if the file is long enough for a row, or
    /// if there are at most three samples a pixel, so that the number does not overflow.
    var samplesPerRow: Int { size.width * depth }

    /// A sample scaled to 0…255, rounded to nearest; samples above the maxval count as the maxval.
    func scaled(_ sample: Int) -> UInt8 {
        let value = min(sample, maximum)
        return UInt8(truncatingIfNeeded: (value * 255 + maximum / 2) / maximum)
    }

    /// A sample scaled to 0…255 and dithered.
    ///
    /// - Parameters:
    ///   - index: the number of the sample in its row.
    ///   - row: the number of the row.
    func dithered(_ sample: Int, index: Int, row: Int) -> UInt8 {
        let threshold = Dithering.threshold(x: index / depth, y: row)
        return Dithering.byte(min(sample, maximum), maximum: maximum, threshold: threshold)
    }

    /// Whether samples are dithered: they have more than 8 bits.
    func dithers(_ options: DecodeOptions) -> Bool { options.dithers && bytesPerSample == 2 }
}

extension LargeMemory {
    /// Allocates memory for a row of samples.
    ///
    /// - Throws: `outOfMemory`.
    static func row(of header: PNMHeader) throws(TexelError) -> LargeMemory {
        guard let memory = LargeMemory(byteCount: header.samplesPerRow) else { throw .outOfMemory }
        return memory
    }

    /// The samples of a row, in memory of ``row(of:)`` for the same header.
    func samples(of header: PNMHeader) -> UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: header.samplesPerRow)
    }
}
