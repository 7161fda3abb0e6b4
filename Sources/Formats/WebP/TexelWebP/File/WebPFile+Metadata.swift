import TexelCodecs
import TexelCore
import TexelPixels

extension WebPFile {
    /// The colours: of the profile, or sRGB.
    var colorSpace: ColorSpace { profile?.colorSpace() ?? .sRGB }

    /// EXIF and XMP, with an orientation that applies to the stored image.
    var metadata: ImageMetadata {
        ImageMetadata(exifBlock: exif.map { exifBlock($0) }, xmpPacket: xmp.map { Array(bytes[$0]) })
    }

    /// Returns the TIFF block. Some programs put the prefix of a JPEG's segment before it.
    private func exifBlock(_ range: Range<Int>) -> [UInt8] {
        let block = Array(bytes[range])
        return block.starts(with: Array("Exif".utf8) + [0, 0]) ? Array(block.dropFirst(6)) : block
    }

    /// Returns the file with other metadata, another profile and identical images. Waits for the whole file.
    ///
    /// - Throws: `stopped`; `truncated` if the file ends inside of an image, because what follows the image in the new
    ///   file would be read as a part of it.
    func rewritten(metadata: WrittenMetadata, profile: [UInt8]?, _ stop: StopToken?) throws(TexelError) -> [UInt8] {
        let count = try bytes.wait(for: .max, stop)
        let images = frames.map(\.bitstream) + (bitstream.map { [$0] } ?? [])
        guard images.allSatisfy({ $0.range.upperBound <= count }) else {
            throw .truncated(rowsRead: 0, rows: size.height)
        }
        // The file's own flag may be wrong.
        var container = WebPContainer(size: size, hasAlpha: hasAlpha || images.contains { $0.hasAlpha })
        container.profile = profile
        container.metadata = metadata
        if let playCount {
            return container.animation(
                playCount: playCount,
                frames: frames.map { header in
                    WebPContainer.Frame(
                        area: header.area, milliseconds: header.milliseconds, blends: header.blends,
                        clears: header.clears, chunks: header.bitstream.chunks(of: bytes))
                })
        }
        guard let bitstream else { throw .webP(.missing("image")) }
        return container.image(bitstream.chunks(of: bytes))
    }
}
