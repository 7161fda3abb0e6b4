import TexelCodecs
import TexelCore
import TexelPixels

/// An opened file of one of Netpbm's formats.
struct PNMImageFile {
    let pages: PNMPages
    let info: ImageInfo
    let isPage: Bool

    /// Reads the first header, and those of the other images if the whole file has arrived.
    ///
    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        isPage = false
        pages = try PNMPages(bytes, limits: limits, stop: stop)
        let summary =
            bytes.wholeCount == nil
            ? PNMPages.Summary(count: 1, comments: pages.first.textComments) : try pages.summary(stop)
        info = ImageInfo(pages.first, summary)
    }

    /// - Parameter page: the header of one of the images.
    private init(_ page: PNMHeader, of pages: PNMPages) {
        isPage = true
        self.pages = pages.only(page)
        info = ImageInfo(page, PNMPages.Summary(count: 1, comments: page.textComments))
    }
}

extension PNMImageFile: PagedImageFile {
    var bytes: InputBytes { pages.bytes }

    /// Only a file of decimal samples holds one image for certain; in others, more may follow. That all bytes are there
    /// says nothing: they may be only the beginning of a file.
    var holdsWholeHeader: Bool { isPage || pages.first.isPlain || pages.isOnlyOne }

    func pageCount(_ stop: StopToken?) throws(TexelError) -> Int { try pages.summary(stop).count }

    func page(_ index: Int, _ stop: StopToken?) throws(TexelError) -> any ImageFile {
        PNMImageFile(try pages.header(of: index, stop), of: pages)
    }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        let header = try pages.header(of: options.frame ?? 0, options.stop)
        return try PNMDecoder(header, of: pages, options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        try pages.rewritten(comments: metadata.comments, stop)
    }
}

extension ImageInfo {
    fileprivate init(_ header: PNMHeader, _ summary: PNMPages.Summary) {
        let colorModel: ColorModel =
            switch header.channels {
            case .gray: .gray
            case .grayAlpha: .grayAlpha
            case .rgb: .rgb
            case .rgba: .rgba
            }
        let name = ["PBM", "PGM", "PPM"]
        let coding =
            header.kind == 7 ? "PAM" : "\(name[(header.kind - 1) % 3]), \(header.isPlain ? "plain" : "raw")"
        self.init(
            format: .ppm, size: header.size, colorModel: colorModel,
            // The bits that the maxval needs.
            bitDepth: Int.bitWidth - header.maximum.leadingZeroBitCount,
            hasAlpha: header.channels.hasAlpha, coding: coding, isLossless: true, pageCount: summary.count,
            metadata: ImageMetadata(comments: summary.comments))
    }
}
