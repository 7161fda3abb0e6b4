/// Delivers results in the order of their jobs, if requested.
///
/// A missing result delays the finished ones after it. At most ``window`` results wait, because no job further ahead
/// begins.
struct ResultOrder {
    /// How many jobs may have begun without being delivered.
    static let window = 1024

    private let isKept: Bool
    private var begun = 0
    private var delivered = 0
    /// The finished results by number; empty texts are not printed.
    private var done: [Int: String] = [:]

    /// - Parameter isKept: whether results are delivered in order.
    init(isKept: Bool) { self.isKept = isKept }

    /// Whether another job may begin.
    var hasRoom: Bool { begun - delivered < Self.window }

    /// - Returns: the number of the new job.
    mutating func begin() -> Int {
        defer { begun += 1 }
        return begun
    }

    /// - Returns: all texts that can be delivered now.
    mutating func finish(_ number: Int, _ text: String) -> String {
        guard isKept else {
            delivered += 1
            return text
        }
        done[number] = text
        var texts = ""
        while let text = done.removeValue(forKey: delivered) {
            texts += text
            delivered += 1
        }
        return texts
    }
}
