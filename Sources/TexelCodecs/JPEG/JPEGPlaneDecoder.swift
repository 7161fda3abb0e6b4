import CCodecShims
package import TexelPixels

/// Decodes a greyscale or YCbCr JPEG to its planes: without colour conversion, and with chroma as subsampled in the
/// file.
package final class JPEGPlaneDecoder {
    /// The size and scale of a plane.
    package struct Layout: Sendable, Hashable {
        /// The size in samples.
        package var size: PixelSize
        /// The number of samples in this plane per pixel of a stored row, before shrinking.
        package var horizontalDensity: Double
        /// The number of samples in this plane per pixel of a stored column, before shrinking.
        package var verticalDensity: Double
        /// The number of rows in a band.
        package var bandHeight: Int
        /// The number of bytes that the decoder writes per row: whole blocks.
        fileprivate var bytesPerRow: Int
        fileprivate var bandCount: Int { (size.height + bandHeight - 1) / bandHeight }

        fileprivate init(_ plane: texel_jpeg_plane) {
            size = PixelSize(width: Int(plane.width), height: Int(plane.height))
            horizontalDensity = Double(plane.horizontal_numerator) / Double(plane.horizontal_denominator)
            verticalDensity = Double(plane.vertical_numerator) / Double(plane.vertical_denominator)
            bandHeight = Int(plane.band_height)
            bytesPerRow = plane.bytes_per_row
        }
    }

    /// The layout of luma and, in colour files, of both chroma planes.
    package let layouts: [Layout]
    package let colorSpace: ColorSpace

    private let handle: JPEGDecoderContext
    /// The number of bands in the image.
    private let bandCount: Int
    private var bandsRead = 0

    init(
        _ file: JPEGFile, frame: JPEGFile.Frame, options: DecodeOptions, byteCount: Int?
    ) throws(CodecError) {
        handle = try JPEGDecoderContext(file, frame: frame, options: options, byteCount: byteCount)
        let profile = try file.colorProfile(of: frame, limit: options.limits.metadataBytes)
        colorSpace = profile.map { .iccProfile($0) } ?? .sRGB
        var planes = [texel_jpeg_plane](repeating: texel_jpeg_plane(), count: TEXEL_JPEG_PLANES)
        try handle.start { decoder in
            texel_jpeg_decoder_start_planes(decoder, Int32(options.shrink), &planes)
        }
        layouts = planes.prefix(Int(handle.header.components)).map(Layout.init)
        bandCount = layouts.map(\.bandCount).max() ?? 0
    }

    /// Allocates memory for `count` bands of every plane.
    package func makeBand(_ count: Int) throws(CodecError) -> PlaneBand {
        do {
            return PlaneBand(
                try layouts.map { layout throws(PixelBufferError) in
                    try Plane(PixelSize(width: layout.bytesPerRow, height: layout.bandHeight * count))
                }, count)
        } catch {
            throw .pixels(error)
        }
    }

    /// Reads as many bands as fit; returns false if there were none left.
    package func read(into band: PlaneBand) throws(CodecError) -> Bool {
        let count = min(band.capacity, bandCount - bandsRead)
        guard count > 0 else { return false }
        for index in 0..<count { try read(into: band, at: index) }
        band.rowCounts = layouts.map { layout in
            max(0, min(bandsRead * layout.bandHeight, layout.size.height) - (bandsRead - count) * layout.bandHeight)
        }
        return true
    }

    /// - Parameter index: the position inside `band`, below its capacity.
    private func read(into band: PlaneBand, at index: Int) throws(CodecError) {
        // Each plane of `band` has `capacity` times `bandHeight` rows of at least `bytesPerRow` bytes.
        var rows: [UnsafeMutablePointer<UInt8>?] = zip(band.planes, layouts).map { plane, layout in
            plane.withUnsafeSamples { $0 + index * layout.bandHeight * plane.bytesPerRow }
        }
        let bytesPerRow = band.planes.map(\.bytesPerRow)
        let status =
            handle.hasFailed
            ? TEXEL_CODEC_FAILED : texel_jpeg_decoder_read_planes(handle.pointer, &rows, bytesPerRow)
        let before = bandsRead * layouts[0].bandHeight
        bandsRead += 1
        let isThere = try handle.accepts(
            status, rowsRead: before + (status == TEXEL_CODEC_OK ? layouts[0].bandHeight : 0))
        if isThere { return }
        // Missing rows become black, so that uninitialised memory is not exposed.
        for (plane, row) in rows.enumerated() {
            row?.update(repeating: plane == 0 ? 0 : 128, count: layouts[plane].bandHeight * bytesPerRow[plane])
        }
    }

    package func finish() throws(CodecError) -> DecoderResult {
        try handle.finish(isComplete: bandsRead == bandCount)
    }
}

/// A band of consecutive rows of every decoded plane.
package final class PlaneBand {
    /// The planes. Their width is a whole number of blocks, so the end of a row may be outside the image.
    package let planes: [Plane]
    /// The number of valid rows in each plane.
    package fileprivate(set) var rowCounts: [Int]
    fileprivate let capacity: Int

    fileprivate init(_ planes: [Plane], _ capacity: Int) {
        self.planes = planes
        self.capacity = capacity
        rowCounts = planes.map { _ in 0 }
    }
}
