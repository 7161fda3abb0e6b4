public import TexelPixels

/// What a camera wrote about a picture: a TIFF block with directories of tags (CIPA DC-008, "EXIF").
///
/// The block is kept as it came. Nothing in it is believed: an offset or a count that leaves the block makes its value
/// absent, and a directory is read once however many pointers lead to it.
public struct EXIF: Sendable, Hashable, Codable {
    let block: TIFFBlock
    /// IFD0, about the picture.
    let image: TIFFDirectory
    /// About how it was taken.
    let exif: TIFFDirectory?
    let gps: TIFFDirectory?
    let interoperability: TIFFDirectory?
    /// IFD1 and what follows it: the thumbnail.
    let thumbnails: [TIFFDirectory]

    /// More linked directories than this are not a thumbnail any more.
    private static let maximumThumbnails = 4

    /// Reads the block that follows "Exif", NUL, NUL in a JPEG file's APP1 segment, or that a PNG file's eXIf chunk
    /// holds; `nil` where the bytes are no TIFF block with at least one directory.
    public init?(_ bytes: [UInt8]) {
        guard let block = TIFFBlock(bytes), let offset = block.firstDirectoryOffset,
            let image = block.directory(at: offset)
        else { return nil }
        var visited: Set = [image.offset]
        func directory(_ tag: UInt16, in parent: TIFFDirectory?) -> TIFFDirectory? {
            guard let pointer = parent?[tag].flatMap({ block.unsigned($0) }),
                let directory = block.directory(at: pointer), visited.insert(directory.offset).inserted
            else { return nil }
            return directory
        }
        self.block = block
        self.image = image
        self.exif = directory(EXIFTag.exifDirectory, in: image)
        self.gps = directory(EXIFTag.gpsDirectory, in: image)
        self.interoperability = directory(EXIFTag.interoperabilityDirectory, in: exif)
        var thumbnails: [TIFFDirectory] = []
        while thumbnails.count < Self.maximumThumbnails,
            let next = block.directory(after: thumbnails.last ?? image), visited.insert(next.offset).inserted
        {
            thumbnails.append(next)
        }
        self.thumbnails = thumbnails
    }

    public init(from decoder: any Decoder) throws { self = try decoder.block { EXIF($0) } }

    public func encode(to encoder: any Encoder) throws { try encoder.encodeBlock(bytes) }

    /// The block, beginning with its TIFF header.
    public var bytes: [UInt8] { block.bytes }

    /// How the stored pixels lie; `nil` where the block does not say, or says 0 or something else without a meaning.
    public var orientation: Orientation? {
        image[EXIFTag.orientation].flatMap { block.unsigned($0) }.flatMap { Orientation(rawValue: Int($0)) }
    }

    /// XResolution and YResolution. The unit is the inch where none is written (CIPA DC-008, 4.6.5.1.12).
    public var density: PixelDensity? {
        guard let x = image[EXIFTag.xResolution].flatMap({ block.rational($0) }),
            let y = image[EXIFTag.yResolution].flatMap({ block.rational($0) })
        else { return nil }
        let unit = image[EXIFTag.resolutionUnit].flatMap { block.unsigned($0) } ?? 2
        switch unit {
        case 1: return PixelDensity(horizontal: x, vertical: y, unit: .aspectRatio)
        case 2: return PixelDensity(horizontal: x, vertical: y, unit: .perInch)
        case 3: return PixelDensity(horizontal: x, vertical: y, unit: .perCentimetre)
        default: return nil
        }
    }

    /// Whether the block says more about the place than the version of its GPS tags.
    public var hasGPS: Bool { gps?.entries.contains { $0.tag != EXIFTag.gpsVersion } ?? false }

    /// Whether a thumbnail is linked.
    public var hasThumbnail: Bool { !thumbnails.isEmpty }
}
