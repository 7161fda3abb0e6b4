import CJPEGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a greyscale or YCbCr JPEG to its planes: without colour conversion, and with chroma as subsampled in the
/// file.
final class JPEGPlaneDecoder: PlaneDecoder {
    /// The layout of luma and, in colour files, of both chroma planes.
    let layouts: [PlaneLayout]
    let colorSpace: ColorSpace

    private let handle: JPEGDecoderContext
    /// The number of bands in the image.
    private let bandCount: Int
    private var bandsRead = 0

    /// - Parameter profile: the profile of the file's colours, if it has one that is used.
    init(
        _ file: JPEGFile, _ frame: JPEGFile.Frame, _ profile: ICCProfile?, options: DecodeOptions, byteCount: Int?
    ) throws(TexelError) {
        handle = try JPEGDecoderContext(file, frame: frame, options: options, byteCount: byteCount)
        colorSpace = profile.map { .iccProfile($0) } ?? .sRGB
        var planes = [texel_jpeg_plane](repeating: texel_jpeg_plane(), count: TEXEL_JPEG_PLANES)
        try handle.start { decoder in
            texel_jpeg_decoder_start_planes(decoder, Int32(options.shrink), &planes)
        }
        layouts = planes.prefix(Int(handle.header.components)).map(PlaneLayout.init)
        bandCount = layouts.map(\.bandCount).max() ?? 0
    }

    /// Reads as many bands as fit; returns false if there were none left.
    func read(into band: PlaneBand) throws(TexelError) -> Bool {
        let count = min(band.capacity, bandCount - bandsRead)
        guard count > 0 else { return false }
        for index in 0..<count { try read(into: band, at: index) }
        band.rowCounts = layouts.map { layout in
            max(0, min(bandsRead * layout.bandHeight, layout.size.height) - (bandsRead - count) * layout.bandHeight)
        }
        return true
    }

    /// - Parameter index: the position inside `band`, below its capacity.
    private func read(into band: PlaneBand, at index: Int) throws(TexelError) {
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

    func finish() throws(TexelError) -> DecoderResult {
        try handle.finish(isComplete: bandsRead == bandCount)
    }
}

extension PlaneLayout {
    fileprivate init(_ plane: texel_jpeg_plane) {
        self.init(
            size: PixelSize(width: Int(plane.width), height: Int(plane.height)),
            horizontalDensity: Double(plane.horizontal_numerator) / Double(plane.horizontal_denominator),
            verticalDensity: Double(plane.vertical_numerator) / Double(plane.vertical_denominator),
            bandHeight: Int(plane.band_height), bytesPerRow: plane.bytes_per_row)
    }
}
