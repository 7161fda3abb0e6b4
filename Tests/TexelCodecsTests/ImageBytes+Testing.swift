import TexelCore
import TexelPixels

import TexelJPEG
import TexelPNG
@testable import TexelCodecs

extension CodecRegistry {
    /// The two formats that a library user always has.
    static let always = CodecRegistry([PNGCodec(), JPEGCodec()])
}

extension Array where Element == UInt8 {
    func source(_ limits: Limits = Limits()) throws(TexelError) -> any ImageFile {
        try CodecRegistry.always.open(InputBytes(self), limits: limits)
    }

    func decoded(_ strictness: Strictness = .truncated) throws(TexelError) -> PixelBuffer {
        var options = DecodeOptions()
        options.policy.strictness = strictness
        return try source().decodedAsStored(options).image
    }

    /// Returns the error of probing or decoding; `nil` if both succeed.
    func failure(_ strictness: Strictness = .truncated) -> TexelError? {
        do throws(TexelError) {
            _ = try decoded(strictness)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the error of probing; `nil` if it succeeds.
    func probeFailure(_ limits: Limits = Limits()) -> TexelError? {
        do throws(TexelError) {
            _ = try source(limits)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the index of the first occurrence of `pattern`.
    func firstIndex(of pattern: [UInt8]) -> Int? {
        guard count >= pattern.count else { return nil }
        return (0...(count - pattern.count)).first { self[$0...].starts(with: pattern) }
    }
}
