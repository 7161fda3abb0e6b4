/// Puts results into the order of their jobs, where that is wished.
///
/// The first that is missing holds up those that are done: no more than ``window`` of them, because no job begins that is
/// farther ahead.
struct ResultOrder {
    /// How far the work may be ahead of what was delivered.
    static let window = 1024

    private let isKept: Bool
    private var begun = 0
    private var delivered = 0
    /// What is done, by number; empty where there is nothing to tell.
    private var done: [Int: String] = [:]

    /// - Parameter isKept: whether results wait for those before them.
    init(isKept: Bool) { self.isKept = isKept }

    /// Whether one more may begin.
    var hasRoom: Bool { begun - delivered < Self.window }

    /// - Returns: the number of the job that begins.
    mutating func begin() -> Int {
        defer { begun += 1 }
        return begun
    }

    /// - Returns: all texts whose turn it is now.
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
