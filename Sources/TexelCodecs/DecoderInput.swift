import CCodecShims

/// The bytes that a codec library reads, as its C side asks for them: it waits inside the library's own calls, on the
/// decoder's thread.
final class DecoderInput {
    let bytes: InputBytes
    private let stopCheck: StopCheck?
    /// Why the bytes that the library asked for last did not come.
    private var interruption: CodecError?

    init(_ bytes: InputBytes, _ stopCheck: StopCheck?) {
        self.bytes = bytes
        self.stopCheck = stopCheck
    }

    /// For the C side, whose owner keeps this object alive.
    ///
    /// - Parameter count: how many bytes the library shall read at most; `nil` for all.
    func forLibrary(count: Int?) -> texel_codec_input {
        let known = count ?? bytes.wholeCount
        return texel_codec_input(
            bytes: bytes.base, count: known ?? bytes.countSoFar, wait: known == nil ? Self.wait : nil,
            context: known == nil ? Unmanaged.passUnretained(self).toOpaque() : nil, ends_picture: bytes.endsPicture)
    }

    private static let wait: @convention(c) (UnsafeMutableRawPointer?, Int) -> Int = { context, count in
        guard let context else { return -1 }
        let input = Unmanaged<DecoderInput>.fromOpaque(context).takeUnretainedValue()
        do throws(CodecError) {
            return try input.bytes.wait(for: count, input.stopCheck)
        } catch {
            input.interruption = error
            return -1
        }
    }

    /// What a library's `TEXEL_CODEC_STOPPED` means.
    var stop: CodecError { interruption ?? .stopped(stopCheck?.reason ?? .cancelled) }
}
