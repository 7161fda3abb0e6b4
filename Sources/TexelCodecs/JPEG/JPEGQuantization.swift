/// The quantisation and subsampling of a JPEG file: what an encoder needs to encode other pixels with the same loss.
package struct JPEGQuantization: Sendable, Hashable, Codable {
    /// The quantisation tables of luma and, unless the image is greyscale, of both chroma components: 64 steps each,
    /// row by row.
    package var tables: [[UInt16]]
    /// The number of luma samples per chroma sample in a row.
    package var horizontalFactor: Int
    /// The number of luma samples per chroma sample in a column.
    package var verticalFactor: Int
    /// Whether the file is progressive.
    package var isProgressive: Bool

    /// The quantisation for the transposed image.
    package var transposed: JPEGQuantization {
        var result = self
        result.tables = tables.map { table in (0..<64).map { table[$0 % 8 * 8 + $0 / 8] } }
        (result.horizontalFactor, result.verticalFactor) = (verticalFactor, horizontalFactor)
        return result
    }

    /// Whether an encoder can use these values.
    package var isValid: Bool {
        (1...3).contains(tables.count) && tables.allSatisfy { $0.count == 64 && !$0.contains(0) }
            && Self.isWritable(across: horizontalFactor, down: verticalFactor)
    }

    /// Whether an encoder can write these factors: an MCU has at most ten blocks, two of which are chroma (ITU-T T.81,
    /// B.2.3).
    fileprivate static func isWritable(across: Int, down: Int) -> Bool {
        [1, 2, 4].contains(across) && [1, 2, 4].contains(down) && across * down <= 8
    }

    /// The quality, 1…100 on libjpeg's scale, whose luma table has the nearest sum.
    package var nearestQuality: Int {
        let sum = tables.first.map(Self.sum) ?? 0
        return Self.sums.enumerated().min { abs($0.element - sum) < abs($1.element - sum) }.map { $0.offset + 1 } ?? 100
    }

    /// The subsampling as an option; `nil` if no option has these factors.
    package var subsampling: ChromaSubsampling? {
        switch (horizontalFactor, verticalFactor) {
        case (1, 1): .none444
        case (2, 1): .half422
        case (2, 2): .quarter420
        default: nil
        }
    }

    private static func sum(_ table: [UInt16]) -> Int { table.reduce(0) { $0 + Int($1) } }

    /// The sum of libjpeg's luma table for each quality from 1: the table of ITU-T T.81, K.1, times 5000 / quality per
    /// cent below 50, else times 200 - 2 · quality per cent (jcparam.c).
    private static let sums: [Int] = (1...100).map { quality in
        let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
        return brightness.reduce(0) { $0 + min(max(($1 * scale + 50) / 100, 1), 255) }
    }

    private static let brightness = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121,
        120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ]
}

extension JPEGFile {
    /// Returns the quantisation at the first scan; `nil` if a table is missing, so that the file cannot be decoded.
    ///
    /// Files in other colours are re-encoded as YCbCr; the tables of their first three components are used for luma and
    /// chroma. If an encoder cannot write the file's chroma sampling, the factors are 1, which loses nothing.
    func quantization(of frame: Frame) -> JPEGQuantization? {
        let definitions = quantizationTables
        let tables = frame.components.prefix(3).compactMap { definitions[$0.quantizationTable] }
        guard !tables.isEmpty, tables.count == min(3, frame.components.count) else { return nil }
        let factors = frame.chromaFactors ?? (1, 1)
        return JPEGQuantization(
            tables: tables, horizontalFactor: factors.horizontal, verticalFactor: factors.vertical,
            isProgressive: frame.isProgressive)
    }

    /// The tables before the first scan, row by row, by table number. A later definition replaces an earlier one (ITU-T
    /// T.81, B.2.4.1); a table with a step of 0 counts as missing.
    private var quantizationTables: [Int: [UInt16]] {
        var tables: [Int: [UInt16]] = [:]
        for segment in segments where segment.marker == Marker.quantizationTables {
            var position = segment.payload.lowerBound
            while position < segment.payload.upperBound {
                let bytesPerStep = bytes[position] >> 4 == 0 ? 1 : 2
                let number = Int(bytes[position] & 15)
                let start = position + 1
                position = start + 64 * bytesPerStep
                guard position <= segment.payload.upperBound else { break }
                var steps = [UInt16](repeating: 0, count: 64)
                for (index, place) in Zigzag.places.enumerated() {
                    steps[place] =
                        bytesPerStep == 1
                        ? UInt16(bytes[start + index]) : UInt16(bytes.bigEndian16(at: start + 2 * index))
                }
                tables[number] = steps.contains(0) ? nil : steps
            }
        }
        return tables
    }
}

extension JPEGFile {
    /// Whether Texel's encoder, which writes greyscale and YCbCr, writes the colour model that decoders assume for this
    /// file.
    func writesYCbCr(_ frame: Frame) -> Bool {
        switch frame.components.count {
        case 1: true
        case 3: colorModel(of: frame) == .yCbCr
        default: false
        }
    }
}

extension JPEGFile.Frame {
    /// The luma samples per chroma sample in each direction, if the chroma factors in the file are 1; (1, 1) for
    /// greyscale, otherwise `nil`.
    var codedChromaFactors: (horizontal: Int, vertical: Int)? {
        if components.count == 1 { return (1, 1) }
        guard let factors = chromaFactors, components.count == 3,
            components[1].horizontalSampling == 1, components[1].verticalSampling == 1
        else { return nil }
        return factors
    }

    /// The luma samples per chroma sample in each direction; `nil` if an encoder cannot write these factors or the two
    /// chroma components differ.
    fileprivate var chromaFactors: (horizontal: Int, vertical: Int)? {
        guard let first = components.first, components.count >= 3 else { return nil }
        let (second, third) = (components[1], components[2])
        guard second.horizontalSampling > 0, second.verticalSampling > 0,
            second.horizontalSampling == third.horizontalSampling, second.verticalSampling == third.verticalSampling,
            first.horizontalSampling % second.horizontalSampling == 0,
            first.verticalSampling % second.verticalSampling == 0
        else { return nil }
        let across = first.horizontalSampling / second.horizontalSampling
        let down = first.verticalSampling / second.verticalSampling
        return JPEGQuantization.isWritable(across: across, down: down) ? (across, down) : nil
    }
}
