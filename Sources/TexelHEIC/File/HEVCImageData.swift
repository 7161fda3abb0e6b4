import TexelCodecs

/// The coded image of an item: NAL units with their lengths before them (ISO/IEC 14496-15, 8.3.1).
struct HEVCImageData {
    /// The units of one image, with lengths of four bytes, which libde265's plugin for libheif assumes.
    let bytes: [UInt8]
    /// Whether the data end inside of a unit.
    let isTruncated: Bool

    /// Takes the units of the base layer up to a second image, so that the decoder needs memory for one image only.
    ///
    /// - Throws: `damaged` if the stream declares another size than the configuration, whose limits were checked.
    init(_ data: [UInt8], _ configuration: HEVCConfiguration) throws(CodecError) {
        var units: [UInt8] = []
        units.reserveCapacity(data.count + 64)
        var (position, images) = (0, 0)
        var isTruncated = false
        let size = configuration.lengthSize
        while position < data.count {
            guard data.count - position >= size else {
                isTruncated = true
                break
            }
            let length = data[position..<(position + size)].reduce(0) { $0 << 8 | Int($1) }
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
            units += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
            units += unit
        }
        guard images > 0 else {
            throw isTruncated ? .truncated(rowsRead: 0, rows: 0) : .heic(.missing("slice of the image"))
        }
        (bytes, self.isTruncated) = (units, isTruncated)
    }

    /// Returns a file with nothing but this image, whose colours are declared as green, blue and red.
    func file(_ configuration: HEVCConfiguration) -> [UInt8] {
        var header = configuration.bytes
        // The size of lengths: four bytes. The initialiser of the configuration has read beyond this byte.
        header[21] |= 3
        let size = configuration.parameters.size
        let properties =
            ISOBytes.box("ispe", version: 0, ISOBytes.number(size.width, 4) + ISOBytes.number(size.height, 4))
            + ISOBytes.box("hvcC", header)
            + ISOBytes.box("colr", BoxType("nclx").bytes + [0, 1, 0, 13, 0, 0, 0x80])
        let item = ISOBytes.number(1, 2)
        func meta(_ position: Int) -> [UInt8] {
            ISOBytes.box(
                "meta", version: 0,
                ISOBytes.imageHandler + ISOBytes.box("pitm", version: 0, item)
                    + ISOBytes.box(
                        "iinf", version: 0,
                        item + ISOBytes.box("infe", version: 2, item + [0, 0] + BoxType("hvc1").bytes + [0]))
                    + ISOBytes.box(
                        "iloc", version: 0,
                        [0x44, 0] + item + item + [0, 0] + item + ISOBytes.number(position, 4)
                            + ISOBytes.number(bytes.count, 4))
                    + ISOBytes.box(
                        "iprp",
                        ISOBytes.box("ipco", properties)
                            + ISOBytes.box("ipma", version: 0, ISOBytes.number(1, 4) + item + [3, 1, 0x82, 3])))
        }
        let brands = ISOBytes.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        let place = brands.count + meta(0).count + 8
        return brands + meta(place) + ISOBytes.box("mdat", bytes)
    }
}
