import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Binary samples: bits, bytes, or two bytes, the more significant one first.
final class PNMBinarySamples: PNMSampleReader {
    private let header: PNMHeader
    private let bytes: InputBytes
    private let stop: StopToken?
    private let dithers: Bool
    private var rowsRead = 0
    /// Holds a row if its samples must be scaled; allocated when the first row has arrived, which bounds its size.
    private var memory: LargeMemory?
    /// The scaled value of each possible sample; empty if samples need no table.
    private let table: [UInt8]
    private(set) var hasExcess = false

    init(_ header: PNMHeader, in bytes: InputBytes, _ options: DecodeOptions) {
        (self.header, self.bytes, stop) = (header, bytes, options.stop)
        dithers = header.dithers(options)
        let largest = header.bytesPerSample == 2 ? 65_535 : 255
        let needsTable = !header.isBitmap && header.maximum != largest
        table = needsTable ? (0...largest).map(header.scaled) : []
    }

    func row() throws(TexelError) -> UnsafeBufferPointer<UInt8>? {
        let end = header.end(ofRows: rowsRead + 1)
        guard end < .max, try bytes.has(end, stop) else { return nil }
        rowsRead += 1
        // The range has arrived, and `bytes` is kept by this object.
        let stored = bytes.rawBytes((end - header.bytesPerRow)..<end).bindMemory(to: UInt8.self)
        if !header.isBitmap, header.maximum == 255 { return stored }
        let memory = if let memory { memory } else { try LargeMemory.row(of: header) }
        self.memory = memory
        let row = memory.samples(of: header)
        guard let source = stored.baseAddress, let samples = row.baseAddress else { return nil }
        // Both hold the samples of one row: `stored` has `bytesPerRow` bytes.
        if header.isBitmap {
            for x in 0..<row.count { samples[x] = source[x >> 3] << UInt8(x & 7) & 0x80 == 0 ? 255 : 0 }
        } else if dithers {
            dither(source, into: row)
        } else if table.isEmpty {
            texel_kernels_in_use().pointee.png_narrow_row(samples, source, row.count)
        } else {
            scale(source, into: row)
        }
        return UnsafeBufferPointer(row)
    }

    /// Scales and dithers a row of samples of two bytes.
    private func dither(_ source: UnsafePointer<UInt8>, into samples: UnsafeMutableBufferPointer<UInt8>) {
        for index in samples.indices {
            let sample = Int(source[2 * index]) << 8 | Int(source[2 * index + 1])
            if sample > header.maximum { hasExcess = true }
            samples[index] = header.dithered(sample, index: index, row: rowsRead - 1)
        }
    }

    /// Scales a row through the table, which has a value for every sample.
    private func scale(_ source: UnsafePointer<UInt8>, into samples: UnsafeMutableBufferPointer<UInt8>) {
        var largest = 0
        table.withUnsafeBufferPointer { table in
            if header.bytesPerSample == 1 {
                for index in samples.indices {
                    largest = max(largest, Int(source[index]))
                    samples[index] = table[Int(source[index])]
                }
            } else {
                for index in samples.indices {
                    let sample = Int(source[2 * index]) << 8 | Int(source[2 * index + 1])
                    largest = max(largest, sample)
                    samples[index] = table[sample]
                }
            }
        }
        if largest > header.maximum { hasExcess = true }
    }
}
