import TexelCodecs
import TexelPixels

extension JPEGFile {
    /// Returns the quantisation at the first scan; `nil` if a table is missing, so that the file cannot be decoded.
    ///
    /// Files in other colours are re-encoded as YCbCr; the tables of their first three components are used for luma and
    /// chroma. If an encoder cannot write the file's chroma sampling, the factors are 1, which loses nothing.
    func quantization(of frame: Frame) -> DCTQuantization? {
        let definitions = quantizationTables
        let tables = frame.components.prefix(3).compactMap { definitions[$0.quantizationTable] }
        guard !tables.isEmpty, tables.count == min(3, frame.components.count) else { return nil }
        let factors = frame.chromaFactors ?? (1, 1)
        return DCTQuantization(
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
                        ? UInt16(bytes[start + index]) : UInt16(bytes.bigEndian(2, at: start + 2 * index))
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
        return DCTQuantization.isWritable(across: across, down: down) ? (across, down) : nil
    }
}
