import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// The structure of a JPEG XL file: a codestream, or a container of boxes with one (ISO/IEC 18181-2).
struct JXLFile: Sendable {
    /// Metadata as they are stored, and the position of their box.
    struct Block: Sendable {
        var bytes: [UInt8]
        var box: Range<Int>
    }

    let bytes: InputBytes
    let header: JXLHeader
    let hasContainer: Bool
    /// The colours of the decoded pixels.
    let colorSpace: ColorSpace
    /// Why the profile is not used; `nil` if it is, or if there is none.
    let colorFault: String?
    /// The colours that libjxl is to make of XYB.
    let outputColors: texel_jxl_colors
    /// The boxes whose headers have arrived, and what they hold.
    let boxes: JXLBoxes

    /// Reads the header, and the boxes that have arrived.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `missingLibrary`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.bytes = bytes
        let signature = JXLBox.signature
        hasContainer = try bytes.has(2, stop) && bytes[0] == 0
        if hasContainer {
            guard try bytes.has(signature.count, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
            guard bytes[0..<signature.count].elementsEqual(signature) else {
                throw .jxl(.invalidSignature(Array(bytes[0..<signature.count])))
            }
        }
        var bits = JXLBitReader(
            bytes, JXLCodestream(bytes, hasContainer: hasContainer, limits: limits, stop: stop))
        header = try JXLHeader(&bits, limits: limits)
        guard !header.hasBlack else { throw .unsupported("a JPEG XL of inks (CMYK)") }
        boxes = hasContainer ? try JXLBoxes(bytes, limits: limits, waits: false, stop: stop) : JXLBoxes()
        (colorSpace, colorFault, outputColors) = try Self.colors(
            bytes, header, hasContainer: hasContainer, limits, stop)
    }

    /// The codestream, from its beginning.
    func codestream(limits: Limits, stop: StopToken?) -> JXLCodestream {
        JXLCodestream(bytes, hasContainer: hasContainer, limits: limits, stop: stop)
    }

    /// The boxes of the whole file. Waits for its end.
    func allBoxes(limits: Limits, stop: StopToken?) throws(TexelError) -> JXLBoxes {
        guard hasContainer, !boxes.areComplete else { return boxes }
        return try JXLBoxes(bytes, limits: limits, waits: true, stop: stop)
    }

    // MARK: Colours

    private static func colors(
        _ bytes: InputBytes, _ header: JXLHeader, hasContainer: Bool, _ limits: Limits, _ stop: StopToken?
    ) throws(TexelError) -> (ColorSpace, fault: String?, texel_jxl_colors) {
        if case .known(let space) = header.colors { return (space, nil, TEXEL_JXL_OWN_COLORS) }
        let codestream = JXLCodestream(bytes, hasContainer: hasContainer, limits: limits, stop: stop)
        let bytes = try JXLLibraryDecoder(bytes, codestream, TEXEL_JXL_READ_HEADER, stop)
            .profile(limit: limits.metadataBytes)
        let profile = bytes.map { EmbeddedProfile($0, for: header.isGray ? [.gray, .rgb] : [.rgb]) } ?? .absent
        let (space, fault) = (profile.colorSpace(), profile.fault)
        guard header.isXYB, header.colors == .profile else { return (space, fault, TEXEL_JXL_OWN_COLORS) }
        // libjxl does not convert XYB to the colours of a profile. Display P3 holds nearly all colours of photographs.
        if header.isGray || space.isSRGB { return (.sRGB, fault, TEXEL_JXL_SRGB) }
        return (.displayP3, fault, TEXEL_JXL_DISPLAY_P3)
    }
}
