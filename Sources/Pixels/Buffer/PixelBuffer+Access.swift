// Access to the memory: spans, which cannot escape, and scoped pointers.

extension PixelBuffer {
    /// The pixels (0xAARRGGBB) in place, without a copy; pixel (x, y) is `span[y * pixelsPerRow + x]`.
    public var span: Span<UInt32> {
        @_lifetime(borrow self)
        get {
            let pixels = rawBytes.assumingMemoryBound(to: UInt32.self)
            return _overrideLifetime(Span(_unsafeElements: pixels), borrowing: self)
        }
    }

    /// Returns the pixels (0xAARRGGBB) of row `y` in place, without padding. Traps if `y` is out of bounds.
    @_lifetime(borrow self)
    public func row(_ y: Int) -> Span<UInt32> {
        precondition(y >= 0 && y < height, "row \(y) is outside \(size)")
        return span.extracting((y * pixelsPerRow)..<(y * pixelsPerRow + width))
    }

    /// Calls `body` with the pixels (0xAARRGGBB); pixel (x, y) has index `y * pixelsPerRow + x`.
    ///
    /// - Warning: The pointer must not escape `body`.
    public func withUnsafePixels<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt32>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(self) }
        return try body(rawBytes.assumingMemoryBound(to: UInt32.self))
    }

    /// Calls `body` with the bytes in the order B, G, R, A; row `y` begins at `y * bytesPerRow`.
    ///
    /// - Warning: The pointer must not escape `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(self) }
        return try body(rawBytes)
    }

    /// Calls `body` with the pixels (0xAARRGGBB) for writing. Copies them first if the memory is shared.
    ///
    /// The caller must write pixels that agree with ``alphaMode``. Padding between rows must not be written in adopted
    /// memory.
    ///
    /// - Warning: The pointer must not escape `body`.
    public mutating func withUnsafeMutablePixels<Result, Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt32>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let pixels = uniqueRawBytes().assumingMemoryBound(to: UInt32.self)
        defer { extendLifetime(self) }
        return try body(pixels)
    }

    /// Calls `body` with the bytes in the order B, G, R, A for writing. Copies them first if the memory is shared.
    ///
    /// - Warning: The pointer must not escape `body`.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = uniqueRawBytes()
        defer { extendLifetime(self) }
        return try body(bytes)
    }
}
