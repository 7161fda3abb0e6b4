extension PixelBuffer {
    /// Returns the smallest rectangle outside of which two images of the same size have equal pixels; `nil` if all are
    /// equal.
    package func changedRectangle(since other: PixelBuffer) -> PixelRectangle? {
        precondition(size == other.size, "images of different sizes")
        func equals(_ y: Int, _ columns: Range<Int>) -> Bool {
            let (own, others) = (row(y), other.row(y))
            return own.withUnsafeBufferPointer { own in
                others.withUnsafeBufferPointer { others in columns.allSatisfy { own[$0] == others[$0] } }
            }
        }
        let all = 0..<width
        guard let top = (0..<height).first(where: { !equals($0, all) }),
            let bottom = (0..<height).last(where: { !equals($0, all) })
        else { return nil }
        // Each row is searched only where it can widen the rectangle.
        var (left, right) = (width, 0)
        for y in top...bottom {
            let (own, others) = (row(y), other.row(y))
            if let first = (0..<left).first(where: { own[$0] != others[$0] }) { left = first }
            if let last = (right..<width).last(where: { own[$0] != others[$0] }) { right = last + 1 }
        }
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom + 1 - top)
    }
}
