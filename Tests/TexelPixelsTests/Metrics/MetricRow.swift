import CPixelKernels
import TestSupport

@testable import TexelMetrics
@testable import TexelPixels

/// A row with the room that the metrics' kernels require, and with marks before and after it.
///
/// Its pointers are valid only while the row is kept alive: Swift frees values after their last use.
struct MetricRow {
    private let rows: FloatRows
    private let count: Int
    private static let margin = Int(texel_metric_multiple)
    private static let mark: Float = 77

    /// Creates a row with these values, surrounded by zeros.
    init(_ values: [Float]) throws {
        count = values.count
        rows = try FloatRows(rows: 1, width: count)
        for (x, value) in values.enumerated() { rows[0][x] = value }
    }

    /// Creates a row for output, with marks in the memory that no kernel may write.
    init(marked count: Int) throws {
        self.count = count
        rows = try FloatRows(rows: 1, width: count)
        for x in 0..<(multiple + Self.margin) { rows[0][x] = Self.mark }
        for x in 1...Self.margin { rows[0][-x] = Self.mark }
    }

    private var multiple: Int { (count + Self.margin - 1) / Self.margin * Self.margin }

    var pointer: UnsafeMutablePointer<Float> { rows[0] }
    var source: UnsafePointer<Float> { UnsafePointer(rows[0]) }
    var values: [Float] { (0..<count).map { rows[0][$0] } }
    /// The floats between the last value and the next multiple.
    var rest: [Float] { (count..<multiple).map { rows[0][$0] } }
    var isIntact: Bool {
        (1...Self.margin).allSatisfy { rows[0][-$0] == Self.mark && rows[0][multiple - 1 + $0] == Self.mark }
    }
}

extension [Float] {
    static func random(_ count: Int, in range: ClosedRange<Float>, using generator: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in Float.random(in: range, using: &generator) }
    }

    /// The bit patterns: zeros of different sign differ.
    var bits: [UInt32] { map(\.bitPattern) }
}
