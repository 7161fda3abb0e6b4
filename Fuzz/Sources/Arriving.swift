import Synchronization
import TexelCore
import TexelPipeline
import TexelPixels

import TexelFormats
@testable import TexelCodecs

/// Decodes a file on another thread while this one supplies its bytes.
///
/// - Parameter piece: Returns how many bytes follow at a position.
/// - Returns: `nil` if memory or a thread is not available.
func outcome(ofArriving bytes: [UInt8], _ options: DecodeOptions, piece: (Int) -> Int) -> Outcome? {
    guard let arriving = try? ArrivingBytes(expectedCount: nil, limit: options.policy.limits.inputBytes) else {
        return nil
    }
    return withExtendedLifetime(arriving) {
        let found = Found()
        let thread = WorkerThread {
            found.outcome.withLock {
                $0 = Outcome { () throws(TexelError) in
                    try CodecRegistry.shared.open(arriving: arriving, limits: options.policy.limits, stop: nil)
                        .decodedAsStored(
                            options)
                }
            }
        }
        guard let thread else { return nil }
        var position = 0
        while position < bytes.count {
            let end = position + max(1, piece(position))
            let isTaken: Bool = bytes[position..<min(end, bytes.count)].withUnsafeBytes { piece in
                do throws(TexelError) {
                    try arriving.append(piece)
                    return true
                } catch {
                    return false
                }
            }
            expect(isTaken, "what is within the limit is taken")
            position = end
        }
        arriving.finish()
        thread.join()
        return found.outcome.withLock { $0 }
    }
}

/// The result of the decoding thread.
private final class Found: Sendable {
    let outcome = Mutex<Outcome?>(nil)
}
