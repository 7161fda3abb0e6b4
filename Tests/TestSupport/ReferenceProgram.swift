/// A program of another project, found in `PATH`, to compare with.
public struct ReferenceProgram: Sendable {
    private let name: String

    public init(_ name: String) { self.name = name }

    /// Whether the program can be started with this argument.
    public func isThere(_ argument: String = "--version") -> Bool { (try? outcome([argument]))?.status == 0 }

    public func outcome(_ arguments: [String]) throws -> RunningProgram.Outcome {
        try RunningProgram("/usr/bin/env", [name] + arguments).wait()
    }

    /// Runs the program; returns whether it succeeded.
    public func succeeds(_ arguments: [String]) throws -> Bool { try outcome(arguments).status == 0 }
}
