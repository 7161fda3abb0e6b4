import CInflate

/// The inflated bytes of the pixels, in pieces; ends at the first sign that the file is not sound.
final class Inflater {
    private let inflater: OpaquePointer
    private let file: PNGFile
    /// IDAT chunks of which nothing was read yet, and what is left of the one before them.
    private var chunks: ArraySlice<PNGFile.Chunk>
    private var rest = 0..<0
    private var checksum = Adler32()
    /// A chunk did not match its checksum; nothing behind it may be read.
    private var isCut = false

    /// - Parameters:
    ///   - chunks: the IDAT chunks of `file`.
    ///   - piece: the most bytes that are asked for at a time.
    init?(_ file: PNGFile, chunks: ArraySlice<PNGFile.Chunk>, piece: Int) {
        guard let inflater = texel_inflater_create(piece) else { return nil }
        self.inflater = inflater
        self.file = file
        self.chunks = chunks
    }

    deinit { texel_inflater_destroy(inflater) }

    /// The next `count` bytes, until anything else is called; they are readable for some bytes more. `nil` if the file
    /// is damaged before their end.
    func peek(_ count: Int) -> UnsafePointer<UInt8>? {
        run(count) == TEXEL_INFLATER_READY ? texel_inflater_bytes(inflater) : nil
    }

    /// Passes over bytes that were peeked at.
    func take(_ count: Int) {
        let bytes = UnsafeRawBufferPointer(start: texel_inflater_bytes(inflater), count: count)
        checksum.append(Adler32.checksum(bytes), count: count)
        texel_inflater_take(inflater, count)
    }

    /// Whether the stream ends here with the right checksum, and the chunks with it.
    func isAtEnd() -> Bool {
        let state = run(1)
        return state == TEXEL_INFLATER_ENDED && isAllFed && !isCut && texel_inflater_excess(inflater) == 0
            && texel_inflater_declared_checksum(inflater) == checksum.value
    }

    private var isAllFed: Bool { rest.isEmpty && chunks.isEmpty }

    private func run(_ count: Int) -> texel_inflater_state {
        while true {
            let state = texel_inflater_run(inflater, count, isAllFed)
            guard state == TEXEL_INFLATER_HUNGRY, !isAllFed, !isCut else { return state }
            feed()
        }
    }

    private func feed() {
        while rest.isEmpty, let chunk = chunks.popFirst() {
            let (declared, computed) = file.checksums(of: chunk)
            guard declared == computed else {
                isCut = true
                return
            }
            rest = chunk.data
        }
        if !rest.isEmpty, let base = file.bytes.base {
            let count = texel_inflater_feed(inflater, base + rest.lowerBound, rest.count)
            rest = (rest.lowerBound + count)..<rest.upperBound
        }
    }
}
