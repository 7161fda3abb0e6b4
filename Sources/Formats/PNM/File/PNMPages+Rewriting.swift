import TexelCodecs
import TexelCore

extension PNMPages {
    /// Returns the file with other comments and the same samples. Bytes after the last image are dropped.
    ///
    /// - Parameter comments: written to the first header, in place of those of all headers.
    /// - Throws: `limitExceeded`, `stopped`.
    func rewritten(comments: [TextComment], _ stop: StopToken?) throws(TexelError) -> [UInt8] {
        let count = try bytes.wait(for: .max, stop)
        var result: [UInt8] = []
        result.reserveCapacity(count)
        try forEach(stop) { page in
            result += page.bytes(comments: result.isEmpty ? comments : [])
            if page.isPlain {
                result += Self.withoutComments(bytes[page.raster..<count])
            } else {
                result += bytes[page.raster..<min(count, page.end(ofRows: page.size.height))]
            }
        }
        return result
    }

    /// Returns the text of decimal samples without the comments in it.
    private static func withoutComments(_ text: some Sequence<UInt8>) -> [UInt8] {
        var isInside = false
        return text.filter { byte in
            if byte == UInt8(ascii: "#") { isInside = true }
            if byte.endsLine { isInside = false }
            return !isInside
        }
    }
}
