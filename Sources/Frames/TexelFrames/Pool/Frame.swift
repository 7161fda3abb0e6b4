public import TexelCore
public import TexelPixels

/// An image of a stream: BGRA pixels with a presentation time, in a buffer leased from a pool.
///
/// A frame is noncopyable. ``shared()`` returns another hold of the same pixels and costs one atomic count; the last
/// hold returns the buffer to the pool. The pixels of a shared frame cannot be changed.
public struct Frame: ~Copyable, Sendable {
    /// The presentation time, from the start of the stream.
    public var time: Duration
    /// How long the frame is shown; `nil` if the stream does not say.
    public var duration: Duration?
    /// The frame's number in its source, from 0.
    public var index: Int
    /// When the source returned the frame, by the pipeline's clock.
    public var arrival: Duration
    /// Whether the queue dropped frames that came directly before this one.
    var followsDrop = false

    /// The size in pixels.
    public let size: PixelSize
    /// The distance between the starts of two rows, in bytes; a multiple of 64.
    public let bytesPerRow: Int
    /// How the colours relate to alpha.
    public internal(set) var alphaMode: AlphaMode

    private var lease: FrameLease

    /// Creates a frame in a buffer that is large enough for it.
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
        followsDrop = frame.followsDrop
        size = frame.size
        bytesPerRow = frame.bytesPerRow
        alphaMode = frame.alphaMode
        lease = frame.lease.shared()
    }

    /// The width in pixels.
    public var width: Int { size.width }
    /// The height in pixels.
    public var height: Int { size.height }

    /// Rows start at multiples of 64 bytes, a cache line.
    static func bytesPerRow(width: Int) -> Int { (width * PixelBuffer.bytesPerPixel + 63) / 64 * 64 }

    /// The number of bytes that a frame of this size occupies.
    ///
    /// - Throws: `invalidSize` if a side is not positive or the number of bytes overflows.
    static func byteCount(_ size: PixelSize) throws(TexelError) -> Int {
        guard size.isPositive, size.width < Int.max / 8 else { throw .invalidSize(size) }
        let (count, overflow) = bytesPerRow(width: size.width).multipliedReportingOverflow(by: size.height)
        guard !overflow else { throw .invalidSize(size) }
        return count
    }

    /// Returns another hold of the same pixels.
    public func shared() -> Frame { Frame(sharing: self) }

    /// Calls `body` with the pixels in B, G, R, A byte order; row `y` begins at byte `y * bytesPerRow`.
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

    /// Calls `body` with the pixels for writing. This must be the only hold of them.
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

    /// Copies the pixels into a new pixel buffer.
    ///
    /// - Throws: `outOfMemory`.
    public func pixelBuffer() throws(TexelError) -> PixelBuffer {
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
    }
}
