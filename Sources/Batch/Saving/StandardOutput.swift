import SystemPackage
import TexelCodecs
import TexelPipeline

/// Writes a result to standard output.
enum StandardOutput {
    static func write(_ bytes: [UInt8], stop: StopToken) throws(FileError) {
        do throws(DirectOutput.Failure) {
            try DirectOutput(.standardOutput, stop: stop).write(bytes)
        } catch {
            throw .cannotWrite("-", error.errno)
        }
    }
}
