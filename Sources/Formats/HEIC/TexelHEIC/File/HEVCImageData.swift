import TexelCodecs
import TexelCore

/// The coded image of an item: NAL units with their lengths before them (ISO/IEC 14496-15, 8.3.1).
struct HEVCImageData {
    /// The parameter sets and the units of one image, with lengths of four bytes.
    let units: [UInt8]
    /// Whether the data end inside of a unit.
    let isTruncated: Bool

    /// Takes the units of the base layer up to a second image, so that the decoder needs memory for one image only.
    ///
    /// - Throws: `damaged` if the stream declares another size than the configuration, whose limits were checked.
    init(_ data: [UInt8], _ configuration: HEVCConfiguration) throws(TexelError) {
        var units = configuration.units
        units.reserveCapacity(units.count + data.count + 64)
        var (position, images) = (0, 0)
        var isTruncated = false
        let size = configuration.lengthSize
        while position < data.count {
            guard data.count - position >= size else {
                isTruncated = true
                break
            }
            let length = data.bigEndian(size, at: position)
            position += size
            guard length <= data.count - position else {
                isTruncated = true
                break
            }
            let unit = data[position..<(position + length)]
            position += length
            // The header has two bytes, and a slice has at least one more.
            guard length > 2 else { continue }
            let start = unit.startIndex
            let type = Int(unit[start] >> 1 & 63)
            let layer = Int(unit[start] & 1) << 5 | Int(unit[start + 1] >> 3)
            guard layer == 0 else { continue }
            if type == HEVCUnit.sequenceParameters {
                guard HEVCSequenceParameters(unit: unit) == configuration.parameters else {
                    throw .heic(.corrupt("the stream has other sequence parameters than the box hvcC"))
                }
            }
            if type < HEVCUnit.sliceLimit, unit[start + 2] & 0x80 != 0 {
                images += 1
                if images > 1 { break }
            }
            HEVCUnit.append(unit, to: &units)
        }
        guard images > 0 else {
            throw isTruncated ? .truncated(rowsRead: 0, rows: 0) : .heic(.missing("slice of the image"))
        }
        (self.units, self.isTruncated) = (units, isTruncated)
    }
}
