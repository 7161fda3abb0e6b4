import TexelPixels

/// Takes pictures of samples out of a stream: from a file the place where they are, from a pipe the bytes.
struct SampleTaking: Sendable {
    let layout: SampleLayout
    let byteCount: Int
    private let pool: FramePool

    /// - Throws: `codec(.limitExceeded)`, `pixels(.invalidSize)`.
    init(_ layout: SampleLayout, _ options: StreamOptions) throws(FrameError) {
        self.layout = layout
        byteCount = try options.byteCount(of: layout)
        pool = FramePool(capacity: options.bufferCount)
    }

    /// - Throws: `truncated` where the stream ends inside the picture, `outOfMemory`, `stopped`, `stalled`, `cannotRead`.
    func next(of stream: inout ByteStream, frame: Int, _ stop: FrameStop) throws(FrameError) -> FrameContent {
        if let file = stream.file {
            let offset = stream.position
            let there = try stream.skip(byteCount, stop)
            guard there == byteCount else { throw truncated(frame, there) }
            return .fileSamples(file, offset: offset, layout)
        }
        guard var lease = try pool.lease(byteCount: byteCount, stop) else { throw .stopped }
        let there = try lease.withUnsafeMutableBytes { (bytes) throws(FrameError) in
            try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]), stop)
        }
        guard there == byteCount else { throw truncated(frame, there) }
        return .samples(lease, layout)
    }

    private func truncated(_ frame: Int, _ there: Int) -> FrameError {
        .truncated(frame: frame, bytesRead: there, bytes: byteCount)
    }
}

extension SampleLayout {
    /// How the colours of YUV samples are meant.
    var color: YUVColor? {
        switch format {
        case .yuv(_, let color): color
        case .bgra, .rgba: nil
        }
    }
}
