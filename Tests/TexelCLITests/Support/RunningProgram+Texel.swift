import Foundation
import TestSupport

extension RunningProgram {
    static let texel = Program.built("texel")

    /// Runs `texel`.
    ///
    /// - Parameters:
    ///   - environment: added to this process's own.
    ///   - program: run instead of `texel`.
    convenience init(
        _ arguments: [String], in directory: String, input: [UInt8] = [], inputHandle: FileHandle? = nil,
        environment: [String: String] = [:], program: String = texel
    ) throws {
        try self.init(
            program, arguments, in: directory, input: input, inputHandle: inputHandle,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    }
}
