import Synchronization

/// A counter for any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add(_ number: Int = 1) { count.add(number, ordering: .sequentiallyConsistent) }
}
