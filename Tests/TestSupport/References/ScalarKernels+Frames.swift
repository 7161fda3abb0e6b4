extension ScalarKernels {
    /// Averages two by two samples of two rows; if the width is odd, the last column counts twice.
    package static func halve(_ upper: [UInt8], _ lower: [UInt8]) -> [UInt8] {
        stride(from: 0, to: upper.count, by: 2).map { x -> UInt8 in
            let next = min(x + 1, upper.count - 1)
            let above = Int(upper[x]) + Int(upper[next])
            let below = Int(lower[x]) + Int(lower[next])
            return UInt8((above + below + 2) >> 2)
        }
    }

    /// Blends two rows; `weight` / 256 is the part of the second.
    package static func mix(_ first: [UInt8], _ second: [UInt8], weight: Int) -> [UInt8] {
        zip(first, second).map { UInt8((Int($0) * (256 - weight) + Int($1) * weight + 128) >> 8) }
    }
}
