import PlatformLibc

/// Detects frames that are identical to the one before.
///
/// Unchecked because of the stored frame: workers call it in their turns, one at a time.
final class DuplicateFilter: @unchecked Sendable {
    private var latest: Frame?

    /// Whether all pixels equal those of the latest frame that was not a duplicate. If not, stores this frame as the
    /// latest.
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
        // Frames of one size have the same stride; padding after a row is ignored.
        let (height, bytesPerRow, rowBytes) = (first.height, first.bytesPerRow, first.width * 4)
        return first.withUnsafeBytes { a in
            second.withUnsafeBytes { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return false }
                return (0..<height).allSatisfy { memcmp(a + $0 * bytesPerRow, b + $0 * bytesPerRow, rowBytes) == 0 }
            }
        }
    }
}
