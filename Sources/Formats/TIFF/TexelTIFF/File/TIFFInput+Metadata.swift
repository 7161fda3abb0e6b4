import TexelCodecs
import TexelCore
import TexelPixels

extension TIFFInput {
    /// Reads the metadata of a page; waits for the values.
    ///
    /// TIFF stores the fields of EXIF in its own directories, so a block is built from them.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    func metadata(of page: TIFFFileDirectory, _ stop: StopToken?) throws(TexelError) -> ImageMetadata {
        var metadata = ImageMetadata(density: try density(of: page, stop))
        if let entry = page[TIFFTag.xmp] { metadata.xmp = try bytes(of: entry, stop).flatMap { XMP($0) } }
        if let entry = page[TIFFTag.photoshop] {
            metadata.iptc = try bytes(of: entry, stop).flatMap { $0.isEmpty ? nil : $0 }
        } else if let entry = page[TIFFTag.captions], let captions = try bytes(of: entry, stop), !captions.isEmpty {
            metadata.iptc = Self.resource(ofCaptions: captions)
        }
        metadata.exif = try exif(of: page, stop)
        return metadata
    }

    /// Returns the Photoshop resource that holds IPTC captions.
    private static func resource(ofCaptions captions: [UInt8]) -> [UInt8] {
        let size = ByteOrder.bigEndian.bytes(UInt32(clamping: captions.count))
        let padding = [UInt8](repeating: 0, count: captions.count % 2)
        return Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + size + captions + padding
    }

    /// Returns the density of a page; `nil` without one, or with an undefined unit.
    func density(of page: TIFFFileDirectory, _ stop: StopToken?) throws(TexelError) -> PixelDensity? {
        let x = try rationals(TIFFTag.xResolution, in: page, limit: 1, stop)
        let y = try rationals(TIFFTag.yResolution, in: page, limit: 1, stop)
        guard let x = x.first, let y = y.first else { return nil }
        let unit: PixelDensity.Unit? =
            switch try integer(TIFFTag.resolutionUnit, in: page, stop) ?? 2 {
            case 1: .aspectRatio
            case 2: .perInch
            case 3: .perCentimetre
            default: nil
            }
        return unit.flatMap { PixelDensity(horizontal: x, vertical: y, unit: $0) }
    }

    private func exif(of page: TIFFFileDirectory, _ stop: StopToken?) throws(TexelError) -> EXIF? {
        var builder = EXIFBuilder(byteOrder: order)
        var budget = limits.metadataBytes
        builder.image = try fields(of: page, &budget, stop) { TIFFTag.ofEXIF.contains($0) }
        func directory(
            _ tag: UInt16, in parent: TIFFFileDirectory?
        ) throws(TexelError) -> TIFFFileDirectory? {
            guard let parent, let offset = try integer(tag, in: parent, stop) else { return nil }
            return try self.directory(at: offset, stop)
        }
        if let exif = try directory(EXIFTag.exifDirectory, in: page) {
            builder.exif = try fields(of: exif, &budget, stop) { $0 != EXIFTag.interoperabilityDirectory }
            if let inner = try directory(EXIFTag.interoperabilityDirectory, in: exif) {
                builder.interoperability = try fields(of: inner, &budget, stop) { _ in true }
            }
        }
        if let gps = try directory(EXIFTag.gpsDirectory, in: page) {
            builder.gps = try fields(of: gps, &budget, stop) { _ in true }
        }
        let isEmpty =
            builder.image.isEmpty && builder.exif.isEmpty && builder.interoperability.isEmpty && builder.gps.isEmpty
        return isEmpty ? nil : EXIF(builder.block())
    }

    /// Returns fields of a directory whose values are inside the file and have a type that EXIF has.
    ///
    /// - Parameter budget: the bytes that may still be read.
    private func fields(
        of directory: TIFFFileDirectory, _ budget: inout Int, _ stop: StopToken?, where isWanted: (UInt16) -> Bool
    ) throws(TexelError) -> [TIFFField] {
        var fields: [TIFFField] = []
        for entry in directory.entries where isWanted(entry.tag) {
            guard let type = TIFFType(rawValue: entry.type), type != .directory,
                let value = try bytes(of: entry, stop), !value.isEmpty
            else { continue }
            guard value.count <= budget else {
                let used = limits.metadataBytes - budget
                throw .limitExceeded(.metadataBytes, value: used + value.count, allowed: limits.metadataBytes)
            }
            budget -= value.count
            // A block has each tag once.
            if !fields.contains(where: { $0.tag == entry.tag }) {
                fields.append(TIFFField(tag: entry.tag, type: type, bytes: value))
            }
        }
        return fields
    }
}
