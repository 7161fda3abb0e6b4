extension ScalarKernels {
    /// Averages two by two samples of two rows; if the width is odd, the last column counts twice.
    static func halve(_ upper: [UInt8], _ lower: [UInt8]) -> [UInt8] {
        stride(from: 0, to: upper.count, by: 2).map { x in
            let next = min(x + 1, upper.count - 1)
            return UInt8((Int(upper[x]) + Int(upper[next]) + Int(lower[x]) + Int(lower[next]) + 2) >> 2)
        }
    }

    /// Blends two rows; `weight` / 256 is the part of the second.
    static func mix(_ first: [UInt8], _ second: [UInt8], weight: Int) -> [UInt8] {
        zip(first, second).map { UInt8((Int($0) * (256 - weight) + Int($1) * weight + 128) >> 8) }
    }
}
