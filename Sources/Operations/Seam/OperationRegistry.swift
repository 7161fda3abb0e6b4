import Synchronization
package import TexelPixels

/// The operations that can be read from files and messages, and that have options, in the order in which they run.
package final class OperationRegistry: Sendable {
    private struct Types: Sendable {
        var ordered: [any OperationDescription.Type] = []
        var places: [String: Int] = [:]

        mutating func add(_ type: any OperationDescription.Type) {
            if let place = places[type.name] {
                ordered[place] = type
            } else {
                places[type.name] = ordered.count
                ordered.append(type)
            }
        }
    }

    private let types: Mutex<Types>

    init(_ types: [any OperationDescription.Type]) {
        var all = Types()
        for type in types { all.add(type) }
        self.types = Mutex(all)
    }

    /// Adds an operation after the others; one with the same name is replaced.
    package func register(_ type: any OperationDescription.Type) { types.withLock { $0.add(type) } }

    /// The operation with a name; `nil` if there is none.
    func type(named name: String) -> (any OperationDescription.Type)? {
        types.withLock { types in types.places[name].map { types.ordered[$0] } }
    }

    /// The names of all operations.
    package var names: Set<String> { types.withLock { Set($0.places.keys) } }

    /// The options of the operations of a section, in the order in which the operations run.
    package func options(in section: OperationSection) -> [OperationOptions] {
        types.withLock(\.ordered).compactMap { $0.section == section ? $0.options : nil }
    }

    /// The operations of a section that values of parameters make, in the order in which they run.
    package func operations(_ values: ParameterValues, in section: OperationSection) -> [PixelOperation] {
        values.isEmpty ? [] : options(in: section).flatMap { $0.operations(values) }
    }
}
