import TexelCodecs
import TexelCore
import TexelPixels

/// One page of an opened TIFF.
struct TIFFImageFile {
    let pages: TIFFPages
    let page: TIFFPage
    let info: ImageInfo
    /// Whether this is a page that was asked for, and the file stands for it alone.
    let isPage: Bool

    /// Reads the fields of the first page, and counts the others if the whole file has arrived.
    ///
    /// - Throws: an error for invalid fields, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        let pages = try TIFFPages(bytes, limits: limits, stop: stop)
        let count = bytes.wholeCount == nil ? 1 : try pages.count(stop)
        try self.init(pages, pages.first, pageCount: count, isPage: false, stop)
    }

    private init(
        _ pages: TIFFPages, _ page: TIFFFileDirectory, pageCount: Int, isPage: Bool, _ stop: StopToken?
    ) throws(TexelError) {
        (self.pages, self.isPage) = (pages, isPage)
        self.page = try TIFFPage(page, in: pages.input, stop)
        info = ImageInfo(self.page, pageCount: pageCount)
    }
}

extension TIFFImageFile: PagedImageFile {
    var bytes: InputBytes { pages.input.bytes }

    var holdsWholeHeader: Bool { isPage || page.hasAllValues && pages.isAlone }

    func pageCount(_ stop: StopToken?) throws(TexelError) -> Int { isPage ? 1 : try pages.count(stop) }

    func page(_ index: Int, _ stop: StopToken?) throws(TexelError) -> any ImageFile {
        try TIFFImageFile(pages, pages.directory(of: index, stop), pageCount: 1, isPage: true, stop)
    }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        guard let frame = options.frame, frame > 0, !isPage else { return try TIFFDecoder(page, options) }
        return try page(frame, options.stop).makeDecoder(options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        let directories = isPage ? [page.directory] : try pages.directories(stop)
        return try TIFFRewriter(pages.input, metadata: metadata, keeping: keeping, stop).file(of: directories)
    }
}

extension ImageInfo {
    fileprivate init(_ page: TIFFPage, pageCount: Int) {
        let (layout, metadata) = (page.layout, page.metadata)
        self.init(
            format: .tiff, size: layout.size, orientation: metadata.orientation, colorModel: layout.colorModel,
            bitDepth: layout.bits, hasAlpha: layout.alpha != .none, coding: layout.coding,
            chromaSubsampling: layout.chromaSubsampling, isLossless: layout.compression.isLossless,
            pageCount: pageCount, colorSpace: page.colors.colorSpace, metadata: metadata)
        colorFault = page.colors.fault
    }
}
