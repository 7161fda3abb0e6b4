public import TexelCore
public import TexelOperations
public import TexelPixels

extension PixelBuffer {
    /// Returns the image after operations, which are joined where that does not change the result.
    ///
    /// - Parameters:
    ///   - operations: the operations, carried out in this order.
    ///   - background: the colour of pixels that the image does not cover, as after a rotation.
    ///   - threads: the maximum number of threads, including the calling one; the result does not depend on it.
    /// - Throws: errors of the parameters if they do not fit the image; `outOfMemory`, `resultTooLarge`.
    public func applying(
        _ operations: [PixelOperation], background: PixelColor = .transparent, threads: Int = 1
    ) throws(TexelError) -> PixelBuffer {
        if let index = operations.firstIndex(where: { $0.value is TrimOperation }),
            let trim = operations[index].value as? TrimOperation
        {
            // What is left is only known from the pixels.
            let before = try applying(Array(operations[..<index]), background: background, threads: threads)
            return try before.trimmed(background: trim.background, tolerance: trim.tolerance)
                .applying(Array(operations[(index + 1)...]), background: background, threads: threads)
        }
        let joined = try JoinedOperations(operations, of: size, background: background)
        var result = self
        try result.apply(joined.stepsInMemory(in: colorSpace), threads: threads)
        return result
    }

    /// Returns the image after an operation, on the calling thread.
    ///
    /// - Throws: errors of the parameters if they do not fit the image; `outOfMemory`, `resultTooLarge`.
    public func applying(_ operation: PixelOperation) throws(TexelError) -> PixelBuffer {
        try applying([operation])
    }
}
