import Foundation

/// The durations of many frames.
///
/// Unchecked: one thread adds durations, and others read them after it has ended.
final class FrameTimes: @unchecked Sendable {
    private(set) var microseconds: [Double] = []

    /// Creates an empty list.
    ///
    /// - Parameter count: The number of durations that can be added without an allocation.
    init(capacity count: Int) { microseconds.reserveCapacity(count) }

    func add(_ duration: Duration) { microseconds.append(duration / .microseconds(1)) }

    /// Prints percentiles and a histogram.
    static func report(_ microseconds: some Sequence<Double>) {
        let sorted = microseconds.sorted()
        guard let last = sorted.last else { return print("no frames arrived") }
        for percentile in [50, 90, 95, 99, 99.9] {
            let time = sorted[Int(Double(sorted.count - 1) * percentile / 100)]
            print(String(format: "p%-5g %8.1f µs", percentile, time))
        }
        print(String(format: "max    %8.1f µs", last))
        var lower = 0.0
        for upper in bounds {
            let count = sorted.count { $0 >= lower && $0 < upper }
            if count > 0 {
                let bar = String(repeating: "#", count: max(1, count * 60 / sorted.count))
                print(String(format: "%6.0f… %6d ", lower, count) + bar)
            }
            lower = upper
        }
    }

    private static let bounds = [
        2.0, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000, 2000, 3000, 4000, 6000, 8000, 10_000,
        15_000, 20_000, 50_000, .infinity,
    ]
}
