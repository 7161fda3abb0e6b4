import CTestSupport
public import TexelPixels

extension PixelBuffer {
    /// The SHA-256 digest of all pixels as R, G, B, A bytes, in hexadecimal.
    public var digest: String {
        let pixels = pixels
        var bytes = [UInt8](repeating: 0, count: pixels.count * 4)
        pixels.withUnsafeBytes { pixels in
            texel_test_swap_red_and_blue(
                pixels.bindMemory(to: UInt8.self).baseAddress, &bytes, pixels.count / PixelBuffer.bytesPerPixel)
        }
        return sha256(bytes)
    }
}

/// Returns the SHA-256 digest of `bytes`, in hexadecimal.
public func sha256(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    texel_test_sha256(bytes, bytes.count, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
