import TexelCodecs
import TexelCore

/// The images of a file. Files with binary samples may hold several, without anything between them.
struct PNMPages: Sendable {
    let bytes: InputBytes
    /// The header of the first image.
    private(set) var first: PNMHeader
    /// Whether images after the first are ignored.
    private(set) var isOnlyOne = false
    /// The limits on headers and on the number of images.
    let limits: Limits

    /// Reads the first header; waits for its bytes only.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        (self.bytes, self.limits) = (bytes, limits)
        first = try PNMHeader(at: 0, in: bytes, limits: limits, stop: stop)
    }

    /// Returns one image as if it were the only one.
    func only(_ page: PNMHeader) -> PNMPages {
        var pages = self
        (pages.first, pages.isOnlyOne) = (page, true)
        return pages
    }

    /// Returns the header after an image; `nil` if no other image follows. Waits for its bytes.
    ///
    /// - Throws: `limitExceeded`, `stopped`. A damaged header is no error: the samples before it are not affected.
    private func header(after page: PNMHeader, _ stop: StopToken?) throws(TexelError) -> PNMHeader? {
        // An image of decimal numbers is the last: any text may follow it.
        let end = page.end(ofRows: page.size.height)
        guard !isOnlyOne, !page.isPlain, end < .max, try bytes.has(end + 1, stop) else { return nil }
        do { return try PNMHeader(at: end, in: bytes, limits: limits, stop: stop) } catch {
            if case .limitExceeded = error.kind { throw error }
            if error.isStop { throw error }
            return nil
        }
    }

    /// Calls `body` with all headers; waits for the whole file.
    ///
    /// - Throws: `limitExceeded` if there are more images than frames are allowed, `stopped`.
    func forEach(
        _ stop: StopToken?, _ body: (PNMHeader) throws(TexelError) -> Void
    ) throws(TexelError) {
        var page: PNMHeader? = first
        var count = 0
        while let current = page {
            count += 1
            guard count <= limits.frames else {
                throw .limitExceeded(.frames, value: count, allowed: limits.frames)
            }
            try body(current)
            page = try header(after: current, stop)
        }
    }

    /// The number and the comments of all images.
    struct Summary {
        var count = 0
        var comments: [TextComment] = []
    }

    /// Reads all headers; waits for the whole file.
    ///
    /// - Throws: `limitExceeded` if there are too many images or comments, `stopped`.
    func summary(_ stop: StopToken?) throws(TexelError) -> Summary {
        var summary = Summary()
        var textBytes = 0
        try forEach(stop) { page throws(TexelError) in
            summary.count += 1
            textBytes += page.comments.reduce(0) { $0 + $1.count }
            guard textBytes <= limits.metadataBytes else {
                throw .limitExceeded(.metadataBytes, value: textBytes, allowed: limits.metadataBytes)
            }
            let count = summary.comments.count + page.comments.count
            guard count <= limits.chunks else {
                throw .limitExceeded(.chunks, value: count, allowed: limits.chunks)
            }
            summary.comments += page.textComments
        }
        return summary
    }

    /// Returns the header of image `index`, from 0; waits for its bytes only.
    ///
    /// - Throws: `missingPage`, `limitExceeded`, `stopped`.
    func header(of index: Int, _ stop: StopToken?) throws(TexelError) -> PNMHeader {
        var page = first
        for number in 0..<max(0, index) {
            guard let next = try header(after: page, stop) else { throw .missingPage(index, count: number + 1) }
            page = next
        }
        return page
    }
}
