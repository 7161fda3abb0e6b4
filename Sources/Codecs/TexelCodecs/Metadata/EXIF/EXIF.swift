public import TexelPixels

/// An EXIF block: a TIFF block with directories of tags (CIPA DC-008).
///
/// The block is stored unchanged and treated as untrusted: a value whose offset or size is outside the block counts as
/// absent, and each directory is read once, however many pointers refer to it.
public struct EXIF: Sendable, Hashable, Codable {
    let block: TIFFBlock
    /// IFD0: tags of the image.
    let image: TIFFDirectory
    /// The Exif directory: tags of the capture.
    let exif: TIFFDirectory?
    let gps: TIFFDirectory?
    let interoperability: TIFFDirectory?
    /// IFD1 and the directories linked after it: the thumbnail.
    let thumbnails: [TIFFDirectory]

    /// The maximum number of linked directories to read.
    private static let maximumThumbnails = 4

    /// Parses the block that follows "Exif", NUL, NUL in a JPEG's APP1 segment, or the data of a PNG's eXIf chunk;
    /// `nil` if the bytes are not a TIFF block with at least one directory.
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

    /// The block, starting with its TIFF header.
    public var bytes: [UInt8] { block.bytes }

    /// The transform from the stored pixels to the displayed image; `nil` if the tag is absent or invalid.
    public var orientation: Orientation? {
        image[EXIFTag.orientation].flatMap { block.unsigned($0) }.flatMap { Orientation(rawValue: Int($0)) }
    }

    /// XResolution and YResolution. The default unit is the inch (CIPA DC-008, 4.6.5.1.12).
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

    /// Whether the GPS directory holds more than the version of its tags.
    public var hasGPS: Bool { gps?.entries.contains { $0.tag != EXIFTag.gpsVersion } ?? false }

    /// Whether the block links to a thumbnail.
    public var hasThumbnail: Bool { !thumbnails.isEmpty }
}
