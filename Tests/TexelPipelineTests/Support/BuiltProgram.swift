import Foundation

/// Programs that are built with the tests, and lie beside them.
enum BuiltProgram {
    static func url(_ name: String) -> URL {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
    }
}
