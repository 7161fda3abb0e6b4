package import TexelCore
package import TexelPixels

/// An operation that changes colours, each pixel by itself. Consecutive ones are joined and cost as much as one.
package protocol ColorOperation: OperationDescription {
    /// The operation in a few words, for `--explain`.
    var summary: String { get }

    /// The changes in their order; none if nothing changes.
    ///
    /// - Throws: `invalidParameter`.
    func changes() throws(TexelError) -> [ColorChange]
}

extension ColorOperation {
    package static var section: OperationSection { .tone }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        let changes = try changes()
        return changes.isEmpty ? [] : [ColorStep(changes, summary: summary)]
    }
}

extension Double {
    /// - Parameter name: of a parameter, for the error.
    /// - Throws: `invalidParameter` if the number is not in the range.
    func checked(_ name: String, in range: ClosedRange<Double>) throws(TexelError) {
        guard range.contains(self) else {
            let (lower, upper) = (range.lowerBound.short, range.upperBound.short)
            throw .invalidParameter(name, value: short, allowed: "from \(lower) to \(upper)")
        }
    }

    /// The number without `.0`.
    var short: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
