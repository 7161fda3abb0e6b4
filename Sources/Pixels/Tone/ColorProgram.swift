import CPixelKernels
import PlatformLibc

/// Changes of colours, one after another, as a few passes over a row.
///
/// Matrices are multiplied, and functions of single channels are composed, before any pixel is read. Colours outside of
/// 0…255 are kept between the changes, up to twice that range, and the result is rounded once.
package struct ColorProgram: Sendable {
    private enum Stage: Sendable {
        case matrix(texel_color_matrix)
        /// For blue, green and red.
        case curves([Curve])
    }

    /// A function of the values from black to white.
    private enum Curve: Sendable {
        case parabolas(texel_color_parabolas)
        /// The result for each value.
        case table([Int16])
    }

    private enum Form: Sendable {
        /// Three tables of bytes: for blue, green and red.
        case bytes([UInt8])
        /// Three tables of values for the bytes of the source, if there are any, and what follows.
        case stages(first: [Int16]?, [Stage])
    }

    private let form: Form

    /// Pixels that go through all stages at a time, so that their values stay in the first-level cache: a multiple of
    /// `texel_color_multiple`.
    private static let blockWidth = 1024

    /// The number of values that a pass needs.
    package static let scratchCount = 3 * blockWidth

    /// - Parameter changes: in their order.
    package init(_ changes: [ColorChange]) {
        if changes.allSatisfy(\.isSeparate) {
            let tables = Self.channels.flatMap { channel in
                (0...255).map { byte in
                    let value = Self.value(Double(byte) / 255, channel, after: changes[...])
                    return UInt8(min(max(value * 255, 0), 255) + 0.5)
                }
            }
            form = .bytes(tables)
            return
        }
        var rest = Self.joined(changes)[...]
        let leading = rest.prefix(while: \.isSeparate)
        rest = rest.dropFirst(leading.count)
        var first: [Int16]?
        if !leading.isEmpty {
            first = Self.channels.flatMap { channel in
                (0...255).map { Self.stored(Self.value(Double($0) / 255, channel, after: leading)) }
            }
        }
        var stages: [Stage] = []
        while let change = rest.first {
            let run = rest.prefix(while: \.isSeparate)
            if case .matrix(let matrix) = change, run.count <= 1, matrix.isSmall || run.isEmpty {
                stages.append(.matrix(Self.fixed(matrix)))
                rest = rest.dropFirst()
            } else {
                stages.append(.curves(Self.curves(after: run)))
                rest = rest.dropFirst(run.count)
            }
        }
        form = .stages(first: first, stages)
    }

    /// Blue, green and red, in the order of tables and rows, as channels of ``ColorMatrix``.
    private static let channels = [2, 1, 0]

    /// Returns the changes with adjacent matrices multiplied, as far as the kernel has room for the factors.
    private static func joined(_ changes: [ColorChange]) -> [ColorChange] {
        var result: [ColorChange] = []
        for change in changes {
            if case .matrix(let next) = change, case .matrix(let last)? = result.last,
                last.followed(by: next).isSmall
            {
                result[result.count - 1] = .matrix(last.followed(by: next))
            } else {
                result.append(change)
            }
        }
        return result
    }

    private static func value(_ value: Double, _ channel: Int, after changes: ArraySlice<ColorChange>) -> Double {
        changes.reduce(value) { $1.value($0, channel: channel) }
    }

    private static func stored(_ value: Double) -> Int16 { Int16(kept(value).rounded()) }

    /// Returns a value in the unit of the kernels, within the range that they keep.
    private static func kept(_ value: Double) -> Double {
        min(max(value * Double(texel_color_white), -32768), 32767)
    }

    /// Returns the functions of blue, green and red.
    private static func curves(after changes: ArraySlice<ColorChange>) -> [Curve] {
        if changes.allSatisfy(\.treatsChannelsAlike) {
            return Array(repeating: curve(0, after: changes), count: channels.count)
        }
        return channels.map { curve($0, after: changes) }
    }

    private static func curve(_ channel: Int, after changes: ArraySlice<ColorChange>) -> Curve {
        let white = Int(texel_color_white)
        let values = (0...white).map { kept(value(Double($0) / Double(white), channel, after: changes)) }
        if let parabolas = texel_color_parabolas(approximating: values) { return .parabolas(parabolas) }
        return .table(values.map { Int16($0.rounded()) })
    }

    /// Returns the matrix in fixed point, with as many binary places as its numbers leave room for.
    private static func fixed(_ matrix: ColorMatrix) -> texel_color_matrix {
        let white = Double(texel_color_white)
        let largest = matrix.largestFactor
        let sum = channels.map { matrix.factorSum($0) * 32768 + abs(matrix[$0, 3]) * white }.max() ?? 0
        // Rounding adds at most half a unit to each factor, and a half is added to the sum.
        let shift = (0...15).last { largest * exp2(Double($0)) <= 32766 && (sum + 2) * exp2(Double($0)) < 2.1e9 } ?? 0
        let one = exp2(Double(shift))
        var result = texel_color_matrix()
        result.shift = Int32(shift)
        withUnsafeMutableBytes(of: &result.factors) { bytes in
            let factors = bytes.assumingMemoryBound(to: Int16.self)
            for (row, channel) in channels.enumerated() {
                for (column, other) in channels.enumerated() {
                    factors[row * 3 + column] = Int16((matrix[channel, other] * one).rounded())
                }
            }
        }
        func offset(_ channel: Int) -> Int32 { Int32((matrix[channel, 3] * white * one + one / 2).rounded()) }
        result.offsets = (offset(2), offset(1), offset(0))
        return result
    }

    /// Changes the colours of a row with straight alpha or without; alpha stays.
    ///
    /// - Parameters:
    ///   - destination: may be `source`.
    ///   - scratch: room for ``scratchCount`` values.
    package func run(
        from source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, width: Int,
        scratch: UnsafeMutablePointer<Int16>
    ) {
        let kernels = texel_kernels_in_use().pointee
        switch form {
        case .bytes(let tables): kernels.map_color_row(destination, source, width, tables)
        case .stages(let first, let stages):
            for begin in stride(from: 0, to: width, by: Self.blockWidth) {
                let (from, to) = (source + 4 * begin, destination + 4 * begin)
                let width = min(Self.blockWidth, width - begin)
                let (blue, green, red) = (scratch, scratch + Self.blockWidth, scratch + 2 * Self.blockWidth)
                if let first {
                    kernels.look_up_color_row(blue, green, red, from, width, first)
                } else {
                    kernels.widen_color_row(blue, green, red, from, width)
                }
                for stage in stages { Self.run(stage, kernels, scratch, width) }
                kernels.narrow_color_row(to, from, blue, green, red, width)
            }
        }
    }

    private static func run(
        _ stage: Stage, _ kernels: texel_kernels, _ scratch: UnsafeMutablePointer<Int16>, _ width: Int
    ) {
        switch stage {
        case .matrix(let matrix):
            withUnsafePointer(to: matrix) {
                kernels.mix_color_row(scratch, scratch + blockWidth, scratch + 2 * blockWidth, width, $0)
            }
        case .curves(let curves):
            for (channel, curve) in curves.enumerated() {
                let row = scratch + channel * blockWidth
                switch curve {
                case .parabolas(let parabolas):
                    withUnsafePointer(to: parabolas) { kernels.parabola_color_row(row, width, $0) }
                case .table(let table): kernels.curve_color_row(row, width, table)
                }
            }
        }
    }
}
