package import CCodecShims
package import TexelCore

/// The input of a codec library's C shim.
///
/// While a file is still arriving, the shim blocks inside the library's calls, on the decoder's thread.
package final class DecoderInput {
    package let bytes: InputBytes
    private let stop: StopToken?
    /// Why the last wait for bytes failed.
    private var interruption: TexelError?

    package init(_ bytes: InputBytes, _ stop: StopToken?) {
        self.bytes = bytes
        self.stop = stop
    }

    /// Returns the input for the C shim. The shim's owner must keep this object alive.
    ///
    /// - Parameter count: the number of bytes that the library may read; `nil` for all.
    package func forLibrary(count: Int?) -> texel_codec_input {
        let known = count ?? bytes.wholeCount
        return texel_codec_input(
            bytes: bytes.base, count: known ?? bytes.countSoFar, wait: known == nil ? Self.wait : nil,
            context: known == nil ? Unmanaged.passUnretained(self).toOpaque() : nil,
            ends_picture: bytes.appendsEndOfImage)
    }

    private static let wait: @convention(c) (UnsafeMutableRawPointer?, Int) -> Int = { context, count in
        guard let context else { return -1 }
        let input = Unmanaged<DecoderInput>.fromOpaque(context).takeUnretainedValue()
        do throws(TexelError) {
            return try input.bytes.wait(for: count, input.stop)
        } catch {
            input.interruption = error
            return -1
        }
    }

    /// The error that a library's `TEXEL_CODEC_STOPPED` stands for.
    package var stopError: TexelError { interruption ?? .stopped(stop?.reason ?? .cancelled) }
}
