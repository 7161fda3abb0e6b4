package import SystemPackage
package import TexelCore

/// The files that a new file may replace: checked before the work, and again when the file gets its name.
package struct Replacement: Sendable {
    private enum Rule: Sendable {
        case nothing, anything
        case only(FileState)
    }

    private let rule: Rule
    /// Files that the same run reads; they are never replaced by its results.
    private let inputs: Set<FileStatus.Identity>

    private init(_ rule: Rule, _ inputs: Set<FileStatus.Identity>) { (self.rule, self.inputs) = (rule, inputs) }

    /// The name must be free, or the user requested to replace the file of that name.
    ///
    /// - Parameters:
    ///   - overwrites: whether existing files may be replaced.
    ///   - inputs: the files that the run reads, which stay in any case.
    package init(overwrites: Bool, except inputs: Set<FileStatus.Identity> = []) {
        self.init(overwrites ? .anything : .nothing, inputs)
    }

    /// The name must be free, or the user requested to replace the file of that name.
    ///
    /// - Parameters:
    ///   - overwrites: whether existing files may be replaced.
    ///   - inputs: the files that the run reads, which stay in any case.
    package init(overwrites: Bool, except inputs: [FilePath]) {
        self.init(overwrites: overwrites, except: Set(inputs.compactMap(\.identity)))
    }

    /// The name must be free.
    package static let nothing = Replacement(overwrites: false)
    /// Whatever has the name.
    package static let anything = Replacement(overwrites: true)

    /// One file in one state, which must still have the name at the end: a file that was read, or that an earlier run
    /// wrote.
    ///
    /// - Parameter inputs: files that the run reads, which stay in any case; none if the file is one of them.
    package static func only(_ state: FileState, except inputs: Set<FileStatus.Identity> = []) -> Replacement {
        Replacement(.only(state), inputs)
    }

    /// The state that the replaced file must have; `nil` if it may have any.
    var requiredState: FileState? { if case .only(let state) = rule { state } else { nil } }

    /// Whether the name must be free.
    var isOfNothing: Bool { if case .nothing = rule { true } else { false } }

    /// Why a new file must not get a name.
    ///
    /// - Parameters:
    ///   - path: the name.
    ///   - existing: what has the name; `nil` if it is free.
    /// - Returns: `isInput`, `alreadyExists` or `changed`; `nil` if nothing is against it.
    package func refusal(of path: FilePath, _ existing: FileStatus?) -> TexelError? {
        if let existing, inputs.contains(existing.identity) { return .isInput(path) }
        return switch rule {
        case .nothing: existing == nil ? nil : .alreadyExists(path)
        case .anything: nil
        case .only(let state): existing.flatMap { FileState($0) } == state ? nil : .changed(path)
        }
    }
}

/// One state of one regular file. It changes if the file is written to, gets other attributes, or is another file.
package struct FileState: Sendable, Hashable {
    private let identity: FileStatus.Identity
    private let stamp: FileStamp
    /// The time of the last change of the content or an attribute, in nanoseconds since 1970.
    private let changeTime: Int

    /// Returns `nil` unless the file is a regular one.
    package init?(_ status: FileStatus) {
        guard let stamp = FileStamp(status) else { return nil }
        (identity, self.stamp, changeTime) = (status.identity, stamp, status.changeNanoseconds)
    }

    /// Whether the file had the same content in another state. A new name changes the time of the last change.
    func hasContent(of other: FileState) -> Bool { identity == other.identity && stamp == other.stamp }
}
