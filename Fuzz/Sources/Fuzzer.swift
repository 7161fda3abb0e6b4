import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where the fuzzer begins: libFuzzer with the target that `TEXEL_FUZZ_TARGET` names. The arguments are libFuzzer's own.
///
/// A variable, not an argument: libFuzzer starts the program anew with its arguments, to minimise and to merge.
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
            print("TEXEL_FUZZ_TARGET names none of", FuzzTarget.all.map(\.name).joined(separator: ", "))
            exit(64)
        }
        chosen = target
        // What a pipe says when nobody reads it is an error, not an end.
        signal(SIGPIPE, SIG_IGN)
        var count = CommandLine.argc
        var values = CommandLine.unsafeArgv
        exit(runFuzzer(&count, &values, runOnce))
    }

    /// Inputs that only this program can make.
    private static func writeSeeds(below folder: String) {
        do {
            for (index, answer) in try FuzzTarget.answers().enumerated() {
                let file = URL(fileURLWithPath: "\(folder)/answer/\(index)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Behind it the choices.
                try Data(answer + [UInt8](repeating: 0, count: FuzzChoices.byteCount)).write(to: file)
            }
        } catch {
            fatalError("the seeds cannot be written: \(error)")
        }
    }

    /// Set before libFuzzer begins, and never again.
    nonisolated(unsafe) fileprivate static var chosen: FuzzTarget?
}

/// One input; a function, because C calls it.
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
