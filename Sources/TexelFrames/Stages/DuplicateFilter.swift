#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Knows a frame that shows exactly what the one before it showed.
///
/// Unchecked because of the frame that it keeps: workers ask in their turns, one at a time.
final class DuplicateFilter: @unchecked Sendable {
    private var latest: Frame?

    /// Whether all pixels are those of the latest frame that was none; if not, this one is kept as the latest.
    func isDuplicate(_ frame: borrowing Frame) -> Bool {
        if Self.showsTheSame(latest, frame) { return true }
        latest = frame.shared()
        return false
    }

    private static func showsTheSame(_ first: borrowing Frame?, _ second: borrowing Frame) -> Bool {
        switch first {
        case .none: false
        case .some(let first): showsTheSame(first, second)
        }
    }

    private static func showsTheSame(_ first: borrowing Frame, _ second: borrowing Frame) -> Bool {
        guard first.size == second.size, first.alphaMode == second.alphaMode else { return false }
        // Frames of one size lie alike; what is behind the pixels of a row is nobody's.
        let (height, bytesPerRow, rowBytes) = (first.height, first.bytesPerRow, first.width * 4)
        return first.withUnsafeBytes { a in
            second.withUnsafeBytes { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return false }
                return (0..<height).allSatisfy { memcmp(a + $0 * bytesPerRow, b + $0 * bytesPerRow, rowBytes) == 0 }
            }
        }
    }
}
