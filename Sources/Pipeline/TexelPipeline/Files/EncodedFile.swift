import Synchronization
import SystemPackage
import TexelCodecs
import TexelCore

/// The file of a result that is written while the result is made.
final class EncodedFile: OutputFile {
    let file: UnfinishedFile
    private let failure: OutputFailure
    private let byteCount = Atomic(0)

    init(_ file: UnfinishedFile, _ failure: OutputFailure) {
        (self.file, self.failure) = (file, failure)
    }

    var count: Int { byteCount.load(ordering: .relaxed) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(TexelError) {
        do {
            try file.descriptor.writeAll(bytes)
        } catch {
            throw failure.record(.cannotWrite(failure.path, error as? Errno ?? .ioError))
        }
        byteCount.add(bytes.count, ordering: .relaxed)
    }

    func contents(_ range: Range<Int>) -> [UInt8] { (try? file.contents(range)) ?? [] }
}

/// Why the file of a result could not be written. Encoders only know that it could not.
final class OutputFailure: Sendable {
    let path: FilePath
    private let state = Mutex<TexelError?>(nil)

    init(_ path: FilePath) { self.path = path }

    func record(_ error: TexelError) -> TexelError {
        state.withLock { $0 = $0 ?? error }
        return .stopped(.outputFailed)
    }

    /// The first error; `nil` if there was none.
    var error: TexelError? { state.withLock { $0 } }
}
