import CPixelKernels
import TestSupport

@testable import TexelPixels

/// A row with the room that the metrics' kernels ask for, and with marks before and behind it.
///
/// Its pointers are good as long as somebody keeps it: arrays are let go after their last use.
struct MetricRow {
    private let rows: FloatRows
    private let count: Int
    private static let margin = Int(texel_metric_multiple)
    private static let mark: Float = 77

    /// Room for `count` floats, zeros around them.
    init(_ values: [Float]) throws {
        count = values.count
        rows = try FloatRows(rows: 1, width: count)
        for (x, value) in values.enumerated() { rows[0][x] = value }
    }

    /// Room to be written, with marks in what no kernel may touch.
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
    /// What lies between the last float and the multiple.
    var rest: [Float] { (count..<multiple).map { rows[0][$0] } }
    var isIntact: Bool {
        (1...Self.margin).allSatisfy { rows[0][-$0] == Self.mark && rows[0][multiple - 1 + $0] == Self.mark }
    }
}

extension [Float] {
    static func random(_ count: Int, in range: ClosedRange<Float>, using generator: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in Float.random(in: range, using: &generator) }
    }

    /// Bit for bit: zeros of both signs differ.
    var bits: [UInt32] { map(\.bitPattern) }
}
