public import TexelPixels

/// A picture of a stream: BGRA pixels with a presentation time, in a buffer leased from a pool.
///
/// A frame cannot be copied; ``shared()`` gives another hold of the same pixels, at the cost of counting. The last hold
/// gives the buffer back. Pixels do not change once a frame is shared.
public struct Frame: ~Copyable, Sendable {
    /// When the frame is to be seen, from the beginning of its stream.
    public var time: Duration
    /// How long it is to be seen, where the stream says so.
    public var duration: Duration?
    /// The frame's number in its source, from 0.
    public var index: Int
    /// When the source gave it, by the pipeline's clock.
    public var arrival: Duration

    public let size: PixelSize
    /// The distance between the beginnings of two rows, in bytes; a multiple of 64.
    public let bytesPerRow: Int
    public internal(set) var alphaMode: AlphaMode

    private var lease: FrameLease

    /// A frame in a buffer that has room for it.
    init(
        _ lease: consuming FrameLease, size: PixelSize, alphaMode: AlphaMode, time: Duration, duration: Duration? = nil,
        index: Int = 0, arrival: Duration = .zero
    ) {
        let bytesPerRow = Frame.bytesPerRow(width: size.width)
        precondition(lease.byteCount >= bytesPerRow * size.height, "the buffer is too small for \(size) pixels")
        self.time = time
        self.duration = duration
        self.index = index
        self.arrival = arrival
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.alphaMode = alphaMode
        self.lease = lease
    }

    private init(sharing frame: borrowing Frame) {
        time = frame.time
        duration = frame.duration
        index = frame.index
        arrival = frame.arrival
        size = frame.size
        bytesPerRow = frame.bytesPerRow
        alphaMode = frame.alphaMode
        lease = frame.lease.shared()
    }

    public var width: Int { size.width }
    public var height: Int { size.height }

    /// Rows begin at multiples of a cache line.
    static func bytesPerRow(width: Int) -> Int { (width * PixelBuffer.bytesPerPixel + 63) / 64 * 64 }

    /// The bytes that a frame of this size takes.
    ///
    /// - Throws: `pixels(.invalidSize)` when a side is not positive or the bytes overflow.
    static func byteCount(_ size: PixelSize) throws(FrameError) -> Int {
        guard size.isPositive, size.width < Int.max / 8 else { throw .pixels(.invalidSize(size)) }
        let (count, overflow) = bytesPerRow(width: size.width).multipliedReportingOverflow(by: size.height)
        guard !overflow else { throw .pixels(.invalidSize(size)) }
        return count
    }

    /// Another hold of the same pixels.
    public func shared() -> Frame { Frame(sharing: self) }

    /// Calls `body` with the bytes in the order B, G, R, A; row `y` begins at `y * bytesPerRow`.
    ///
    /// - Warning: The pointer must not escape `body`.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let byteCount = bytesPerRow * size.height
        return try lease.withUnsafeBytes { (bytes) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }

    /// Calls `body` with the same bytes for writing. Nobody else may hold the pixels.
    ///
    /// - Warning: The pointer must not escape `body`.
    public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let byteCount = bytesPerRow * size.height
        return try lease.withUnsafeMutableBytes { (bytes) throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }

    /// A copy of the pixels that lives on its own.
    ///
    /// - Throws: `pixels(.outOfMemory)`.
    public func pixelBuffer() throws(FrameError) -> PixelBuffer {
        do throws(PixelBufferError) {
            var copy = try PixelBuffer(width: width, height: height, alphaMode: alphaMode)
            let rowBytes = width * PixelBuffer.bytesPerPixel
            let (height, bytesPerRow, copyBytesPerRow) = (height, bytesPerRow, copy.bytesPerRow)
            withUnsafeBytes { source in
                copy.withUnsafeMutableBytes { destination in
                    guard let from = source.baseAddress, let to = destination.baseAddress else { return }
                    for y in 0..<height {
                        (to + y * copyBytesPerRow).copyMemory(from: from + y * bytesPerRow, byteCount: rowBytes)
                    }
                }
            }
            return copy
        } catch {
            throw .pixels(error)
        }
    }
}
