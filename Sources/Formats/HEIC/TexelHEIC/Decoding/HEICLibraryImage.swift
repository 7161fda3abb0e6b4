import CCodecShims
import CHEICShim
import TexelCodecs
import TexelCore
import TexelPixels

/// An image that libde265 has decoded.
final class HEICLibraryImage {
    private let pointer: OpaquePointer

    /// Decodes the image of some units.
    ///
    /// - Throws: `damaged`, `unsupported`, `outOfMemory`, `missingLibrary`.
    init(
        _ data: HEVCImageData, _ configuration: HEVCConfiguration, _ strictness: Strictness
    ) throws(TexelError) {
        try LoadedLibrary.heic.require()
        var image: OpaquePointer?
        let isStrict = strictness == .error || strictness == .warning
        let (status, message) = LibraryMessage.result { message in
            data.units.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return TEXEL_HEIC_FAILED }
                return texel_heic_decode(base, bytes.count, isStrict, &image, message)
            }
        }
        guard status == TEXEL_HEIC_OK, let image else {
            switch status {
            case TEXEL_HEIC_OUT_OF_MEMORY: throw .outOfMemory
            case TEXEL_HEIC_UNSUPPORTED: throw .unsupported("this HEIC (\(message))")
            default: throw .heic(.corrupt(message.isEmpty ? "libde265 cannot decode it" : message))
            }
        }
        pointer = image
        try check(configuration.parameters)
    }

    deinit { texel_heic_image_free(pointer) }

    /// Checks that the image is what its header declares.
    private func check(_ parameters: HEVCSequenceParameters) throws(TexelError) {
        var (width, height): (Int32, Int32) = (0, 0)
        texel_heic_size(pointer, &width, &height)
        guard Int(width) == parameters.size.width, Int(height) == parameters.size.height,
            Int(texel_heic_depth(pointer)) == parameters.bitDepth,
            Int(texel_heic_chroma_format(pointer)) == parameters.chromaFormat,
            (0..<(parameters.chromaFormat == 0 ? 1 : 3)).allSatisfy({ hasPlane($0, parameters) })
        else { throw .heic(.corrupt("the decoded image is not what its header declares")) }
    }

    private func hasPlane(_ index: Int, _ parameters: HEVCSequenceParameters) -> Bool {
        let (plane, size) = (plane(index), parameters.planeSize(index, of: parameters.size))
        return plane.samples != nil && Int(plane.width) == size.width && Int(plane.height) == size.height
    }

    /// Returns a plane, valid while this object exists; empty if there is none.
    func plane(_ index: Int) -> texel_plane { texel_heic_plane(pointer, Int32(index)) }
}
