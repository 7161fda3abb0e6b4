import TexelCodecs
import TexelCore
import TexelPixels

/// Takes uncompressed images from a stream: of a file their offset, of a pipe their bytes.
struct SampleTaking: Sendable {
    let layout: SampleLayout
    let byteCount: Int
    private let pool: FramePool

    /// The images that deinterlacing holds beside the latest one: the frame in work and the one before.
    private static let deinterlacedCount = 2

    /// Prepares to take images of one layout.
    ///
    /// - Parameter isInterlaced: Whether images may be deinterlaced, for which more of them are in memory at once.
    /// - Throws: `limitExceeded`, `invalidSize`.
    init(_ layout: SampleLayout, _ options: StreamOptions, isInterlaced: Bool = false) throws(TexelError) {
        self.layout = layout
        byteCount = try options.byteCount(of: layout)
        pool = FramePool(capacity: options.bufferCount + (isInterlaced ? Self.deinterlacedCount : 0))
    }

    /// Takes the next image.
    ///
    /// - Throws: `truncated` if the stream ends inside the image; `outOfMemory`, `stopped`, `stalled`, `streamFailed`.
    func next(of stream: inout ByteStream, frame: Int, _ stop: StopToken) throws(TexelError) -> FrameContent {
        if let file = stream.file {
            let offset = stream.position
            let there = try stream.skip(byteCount, stop)
            guard there == byteCount else { throw truncated(frame, there) }
            return .fileSamples(file, offset: offset, layout)
        }
        guard var lease = try pool.lease(byteCount: byteCount, stop) else { throw .stopped(.cancelled) }
        let there = try lease.withUnsafeMutableBytes { (bytes) throws(TexelError) in
            try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]), stop)
        }
        guard there == byteCount else { throw truncated(frame, there) }
        return .samples(lease, layout)
    }

    private func truncated(_ frame: Int, _ there: Int) -> TexelError {
        .truncated(frame: frame, bytesRead: there, bytes: byteCount)
    }
}

extension SampleLayout {
    /// The colour matrix and range of YUV samples; `nil` for BGRA and RGBA.
    var color: YUVColor? {
        switch format {
        case .yuv(_, let color): color
        case .bgra, .rgba: nil
        }
    }
}
