import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The entry point: runs libFuzzer with the target named in `TEXEL_FUZZ_TARGET` and libFuzzer's own arguments.
///
/// An environment variable, because libFuzzer restarts the program with its own arguments to minimise and merge.
@main
enum Fuzzer {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--list" {
            for target in FuzzTarget.all { print(target.name, target.maximumLength) }
            return
        }
        if arguments.count == 2, arguments.first == "--seeds" {
            writeSeeds(below: arguments[2])
            return
        }
        guard let name = getenv("TEXEL_FUZZ_TARGET").map({ String(cString: $0) }),
            let target = FuzzTarget.all.first(where: { $0.name == name })
        else {
            print("TEXEL_FUZZ_TARGET must be one of", FuzzTarget.all.map(\.name).joined(separator: ", "))
            exit(64)
        }
        chosen = target
        // Writing to a closed pipe must return an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        var count = CommandLine.argc
        var values = CommandLine.unsafeArgv
        exit(runFuzzer(&count, &values, runOnce))
    }

    /// Writes seed inputs that only this program can make.
    private static func writeSeeds(below folder: String) {
        do {
            for (index, answer) in try FuzzTarget.answers().enumerated() {
                let file = URL(fileURLWithPath: "\(folder)/answer/\(index)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Followed by the bytes for the choices.
                try Data(answer + [UInt8](repeating: 0, count: FuzzChoices.byteCount)).write(to: file)
            }
        } catch {
            fatalError("cannot write the seeds: \(error)")
        }
    }

    /// Set once, before libFuzzer starts.
    nonisolated(unsafe) fileprivate static var chosen: FuzzTarget?
}

/// Runs one input; a global function, because C calls it.
private func runOnce(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzzer.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

private typealias RunOnce = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<Arguments>, _ run: RunOnce
) -> Int32
