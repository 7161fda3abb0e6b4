import TexelPixels

@testable import TexelCodecs

extension Array where Element == UInt8 {
    func source(_ limits: Limits = Limits()) throws(CodecError) -> ImageSource {
        try ImageSource(InputBytes(self), limits: limits)
    }

    func decoded(_ strictness: Strictness = .truncated) throws(CodecError) -> PixelBuffer {
        var options = DecodeOptions()
        options.strictness = strictness
        return try source().decodedAsStored(options).picture
    }

    /// The error that probing and decoding end with, if any.
    func failure(_ strictness: Strictness = .truncated) -> CodecError? {
        do throws(CodecError) {
            _ = try decoded(strictness)
            return nil
        } catch {
            return error
        }
    }

    /// The error that probing ends with, if any.
    func probeFailure(_ limits: Limits = Limits()) -> CodecError? {
        do throws(CodecError) {
            _ = try source(limits)
            return nil
        } catch {
            return error
        }
    }

    /// The place of the first occurrence of `pattern`.
    func firstIndex(of pattern: [UInt8]) -> Int? {
        guard count >= pattern.count else { return nil }
        return (0...(count - pattern.count)).first { self[$0...].starts(with: pattern) }
    }
}
