extension EXIF {
    /// The fields of each directory, without pointers to other directories. TIFF files store them in directories of
    /// their own.
    package struct Fields: Sendable {
        package var image: [TIFFField] = []
        package var exif: [TIFFField] = []
        package var gps: [TIFFField] = []
        package var interoperability: [TIFFField] = []
    }

    /// Returns the fields with numbers in another byte order. Values of unknown structure, such as maker notes, keep
    /// their bytes.
    package func fields(in order: ByteOrder) -> Fields {
        func fields(of directory: TIFFDirectory?) -> [TIFFField] {
            var result: [TIFFField] = []
            for entry in directory?.entries ?? [] where !Self.pointers.contains(entry.tag) {
                guard let type = entry.type, type != .directory, let bytes = block.bytes(of: entry), !bytes.isEmpty,
                    !result.contains(where: { $0.tag == entry.tag })
                else { continue }
                let value = order == block.byteOrder ? Array(bytes) : Self.swapped(bytes, type)
                result.append(TIFFField(tag: entry.tag, type: type, bytes: value))
            }
            return result
        }
        return Fields(
            image: fields(of: image), exif: fields(of: exif), gps: fields(of: gps),
            interoperability: fields(of: interoperability))
    }

    private static let pointers: Set<UInt16> = [
        EXIFTag.exifDirectory, EXIFTag.gpsDirectory, EXIFTag.interoperabilityDirectory,
    ]

    /// Reverses the bytes of each number.
    private static func swapped(_ bytes: ArraySlice<UInt8>, _ type: TIFFType) -> [UInt8] {
        // A fraction is two numbers.
        let size = type == .rational || type == .signedRational ? 4 : type.size
        var result = Array(bytes)
        guard size > 1 else { return result }
        for start in stride(from: 0, through: result.count - size, by: size) {
            result[start..<(start + size)].reverse()
        }
        return result
    }
}
