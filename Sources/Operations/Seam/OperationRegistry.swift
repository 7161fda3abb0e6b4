import Synchronization

/// The operations that can be read from files and messages, by name.
package final class OperationRegistry: Sendable {
    let types: Mutex<[String: any OperationDescription.Type]>

    init(_ types: [any OperationDescription.Type]) {
        self.types = Mutex(Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) }))
    }

    /// Adds an operation; one with the same name is replaced.
    package func register(_ type: any OperationDescription.Type) { types.withLock { $0[type.name] = type } }

    /// The operation with a name; `nil` if there is none.
    func type(named name: String) -> (any OperationDescription.Type)? { types.withLock { $0[name] } }
}
