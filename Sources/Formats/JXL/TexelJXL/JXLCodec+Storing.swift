package import TexelCodecs
package import TexelCore
import TexelJPEG
import TexelPixels

extension JXLCodec: StoringCodec {
    /// JPEGs of inks are not stored: their colours are not those of the format.
    package func stores(_ info: ImageInfo) -> Bool { info.format == .jpeg && !info.isCMYK && info.bitDepth == 8 }

    package func stored(
        _ file: InputBytes, settings: EncodingSettings, limits: Limits, stop: StopToken?, parallelism: Int,
        progress: EncodingProgress?
    ) throws(TexelError) -> [UInt8]? {
        progress?.begin(partCount: 1)
        let jpeg = try JPEGCodec().open(file, limits: limits, stop: stop).info
        let stored = try JXLStoredJPEG.file(
            storing: file, effort: settings.effort, limits: limits, stop: stop, parallelism: parallelism)
        guard let stored else { return nil }
        // The codestream's orientation determines how the image is displayed, and must be the JPEG's.
        let info = try JXLImageFile(InputBytes(stored), limits: limits, stop: stop).info
        guard info.orientation == jpeg.orientation, info.size == jpeg.size else { return nil }
        progress?.advance()
        return stored
    }

    /// Coefficients of 16 bits and samples of 32 bits.
    package func workingBytes(storing info: ImageInfo) -> Double {
        Double(info.size.pixelCount ?? .max) * 3 * (2 + 4 + 4)
    }
}

extension JXLImageFile: StoringImageFile {
    func storedFile(_ options: DecodeOptions) throws(TexelError) -> [UInt8]? {
        info.storedFormat == nil ? nil : try JXLStoredJPEG.restored(from: file, options)
    }
}
