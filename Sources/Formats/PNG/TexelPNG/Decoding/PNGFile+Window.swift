import CPNGShim
import TexelCodecs
import TexelCore

extension PNGFile {
    /// Returns the window that the pixels declare, in bytes, if distances in them exceed it; `nil` if none does.
    ///
    /// Decoders with the whole window of deflate show such a file, as Texel does; libpng by itself refuses it.
    ///
    /// - Parameters:
    ///   - position: the position of the first IDAT chunk.
    ///   - inflatedBytes: the size of the filtered rows; not much more than these is inflated.
    /// - Throws: `stopped`, while waiting for the chunks.
    func exceededWindow(
        ofPixelsAt position: Int, inflatedBytes: Int, _ stop: StopToken?
    ) throws(TexelError) -> Int? {
        var (parts, next) = ([Range<Int>](), position)
        while let chunk = try chunk(at: next, stop), chunk.name == "IDAT" {
            if parts.isEmpty, !declaresSmallWindow(chunk.data) { return nil }
            parts.append(chunk.data)
            next = chunk.whole.upperBound
        }
        return exceededWindow(of: parts, inflatedBytes: inflatedBytes)
    }

    /// Returns the window that a stream of pixels declares, in bytes, if distances in it exceed it; `nil` if none does.
    ///
    /// - Parameters:
    ///   - parts: the ranges of the stream in the file, which must have arrived.
    ///   - inflatedBytes: the size of the filtered rows; not much more than these is inflated.
    func exceededWindow(of parts: [Range<Int>], inflatedBytes: Int) -> Int? {
        guard let first = parts.first(where: { !$0.isEmpty }), declaresSmallWindow(first), let base = bytes.base else {
            return nil
        }
        let stream = parts.map { texel_png_part(bytes: base + $0.lowerBound, count: $0.count) }
        // An interlaced image has up to twice as many bytes.
        let exceeds = texel_png_exceeds_window(stream, stream.count, 2 * inflatedBytes)
        extendLifetime(bytes)
        return exceeds ? Zlib.declaredWindow(bytes[first.lowerBound]) : nil
    }

    /// Whether the first byte of a stream declares less than the whole window; true for an empty part.
    private func declaresSmallWindow(_ part: Range<Int>) -> Bool {
        part.isEmpty || Zlib.declaredWindow(bytes[part.lowerBound]) < Zlib.largestWindow
    }
}
