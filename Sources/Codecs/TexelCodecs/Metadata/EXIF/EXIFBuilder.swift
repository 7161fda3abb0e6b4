import TexelPixels

/// A tagged value to be written.
package struct TIFFField: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        /// Written with a terminating NUL.
        case ascii(String)
        case short([UInt16])
        case long([UInt32])
        /// Alternating numerators and denominators.
        case rational([UInt32])
        case undefined([UInt8])
    }

    package let tag: UInt16
    package let type: TIFFType
    /// In the byte order of the block.
    package let bytes: [UInt8]

    /// - Parameter bytes: a multiple of the size of `type`.
    package init(tag: UInt16, type: TIFFType, bytes: [UInt8]) {
        self.tag = tag
        self.type = type
        self.bytes = bytes
    }

    package init(_ tag: UInt16, _ value: Value, in order: ByteOrder) {
        self.tag = tag
        switch value {
        case .ascii(let text): (type, bytes) = (.ascii, Array(text.utf8) + [0])
        case .short(let numbers): (type, bytes) = (.short, numbers.flatMap { order.bytes($0) })
        case .long(let numbers): (type, bytes) = (.long, numbers.flatMap { order.bytes($0) })
        case .rational(let numbers): (type, bytes) = (.rational, numbers.flatMap { order.bytes($0) })
        case .undefined(let raw): (type, bytes) = (.undefined, raw)
        }
    }

    package var count: UInt32 { UInt32(clamping: bytes.count / type.size) }
    /// Bytes of the value outside the directory: values of more than four bytes, padded to an even length.
    var outsideSize: Int { bytes.count > 4 ? bytes.count + bytes.count % 2 : 0 }
}

/// Builds a new EXIF block: header, IFD0, Exif, interoperability and GPS directories, IFD1 and its thumbnail.
package struct EXIFBuilder: Sendable {
    package let byteOrder: ByteOrder
    package var image: [TIFFField] = []
    package var exif: [TIFFField] = []
    package var interoperability: [TIFFField] = []
    package var gps: [TIFFField] = []
    package var thumbnail: [TIFFField] = []
    /// A complete JPEG stream.
    package var thumbnailData: [UInt8] = []

    package init(byteOrder: ByteOrder) { self.byteOrder = byteOrder }

    /// Adds a tagged value to a directory.
    package mutating func add(
        _ tag: UInt16, _ value: TIFFField.Value, to directory: WritableKeyPath<EXIFBuilder, [TIFFField]>
    ) {
        self[keyPath: directory].append(TIFFField(tag, value, in: byteOrder))
    }

    /// Returns the bytes of the block.
    package func block() -> [UInt8] {
        // The directories are laid out twice: first with zero pointers, to find their offsets.
        func layout(
            exif exifOffset: Int, interoperability interoperabilityOffset: Int, gps gpsOffset: Int, dataOffset: Int
        ) -> (image: [TIFFField], exif: [TIFFField], thumbnail: [TIFFField]) {
            var (image, exif, thumbnail) = (image, exif, thumbnail)
            if !interoperability.isEmpty {
                exif.append(pointer(EXIFTag.interoperabilityDirectory, interoperabilityOffset))
            }
            if !exif.isEmpty { image.append(pointer(EXIFTag.exifDirectory, exifOffset)) }
            if !gps.isEmpty { image.append(pointer(EXIFTag.gpsDirectory, gpsOffset)) }
            if !thumbnailData.isEmpty {
                thumbnail.append(pointer(EXIFTag.thumbnailOffset, dataOffset))
                thumbnail.append(pointer(EXIFTag.thumbnailLength, thumbnailData.count))
            }
            return (image, exif, thumbnail)
        }
        let draft = layout(exif: 0, interoperability: 0, gps: 0, dataOffset: 0)
        let exifOffset = TIFFBlock.headerSize + size(of: draft.image)
        let interoperabilityOffset = exifOffset + size(of: draft.exif)
        let gpsOffset = interoperabilityOffset + size(of: interoperability)
        let thumbnailOffset = gpsOffset + size(of: gps)
        let dataOffset = thumbnailOffset + size(of: draft.thumbnail)
        let final = layout(
            exif: exifOffset, interoperability: interoperabilityOffset, gps: gpsOffset, dataOffset: dataOffset)

        var bytes: [UInt8] = byteOrder == .bigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        bytes += byteOrder.bytes(UInt32(TIFFBlock.headerSize))
        append(final.image, next: final.thumbnail.isEmpty ? 0 : thumbnailOffset, to: &bytes)
        append(final.exif, next: 0, to: &bytes)
        append(interoperability, next: 0, to: &bytes)
        append(gps, next: 0, to: &bytes)
        append(final.thumbnail, next: 0, to: &bytes)
        return bytes + thumbnailData
    }

    private func pointer(_ tag: UInt16, _ offset: Int) -> TIFFField {
        TIFFField(tag, .long([UInt32(clamping: offset)]), in: byteOrder)
    }

    /// The size in bytes of a directory with its values. Empty directories are not written.
    private func size(of fields: [TIFFField]) -> Int {
        fields.isEmpty ? 0 : fields.reduce(6) { $0 + TIFFDirectory.Entry.size + $1.outsideSize }
    }

    private func append(_ fields: [TIFFField], next: Int, to bytes: inout [UInt8]) {
        guard !fields.isEmpty else { return }
        var outside: [UInt8] = []
        let outsideOffset = bytes.count + 6 + fields.count * TIFFDirectory.Entry.size
        bytes += byteOrder.bytes(UInt16(clamping: fields.count))
        for field in fields.sorted(by: { $0.tag < $1.tag }) {
            bytes += byteOrder.bytes(field.tag) + byteOrder.bytes(field.type.rawValue) + byteOrder.bytes(field.count)
            if field.bytes.count <= 4 {
                bytes += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
            } else {
                bytes += byteOrder.bytes(UInt32(clamping: outsideOffset + outside.count))
                outside += field.bytes + [UInt8](repeating: 0, count: field.bytes.count % 2)
            }
        }
        bytes += byteOrder.bytes(UInt32(clamping: next)) + outside
    }
}
