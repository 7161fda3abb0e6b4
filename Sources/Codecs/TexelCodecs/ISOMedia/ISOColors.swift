package import TexelPixels

/// The colours of an image in items or tracks: an ICC profile, or code points of the container or of the coded stream.
package struct ISOColors: Sendable {
    /// The colours of the decoded samples, which have the full range.
    package let colorSpace: ColorSpace
    /// The numbers of the container, or else of the stream.
    package let coded: CodedColors
    /// Why the profile is not used; `nil` if it is, or if there is none.
    package let fault: String?

    /// - Parameters:
    ///   - stream: what the coded stream declares.
    ///   - isMonochrome: whether the image has no chroma.
    package init(_ properties: [ISOProperty], stream: CodedColors?, isMonochrome: Bool, in bytes: InputBytes) {
        var profile: EmbeddedProfile?
        var points: CodedColors?
        for property in properties {
            switch property.value {
            case .profile(let range) where profile == nil:
                profile = EmbeddedProfile(Array(bytes[range]), for: isMonochrome ? [.gray, .rgb] : [.rgb])
            case .codePoints(let primaries, let transfer, let matrix, let isFullRange) where points == nil:
                points = CodedColors(
                    primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
            default: break
            }
        }
        coded = points ?? stream ?? CodedColors()
        let declared = Self.colorSpace(coded.primaries, coded.transfer)
        colorSpace = profile?.colorSpace(orElse: declared) ?? declared
        fault = profile?.fault
    }

    /// Unspecified numbers mean sRGB (ISO/IEC 23000-22, 7.3.6.4), also one of both.
    private static func colorSpace(_ primaries: Int, _ transfer: Int) -> ColorSpace {
        let (primaries, transfer) = (primaries == 2 ? 1 : primaries, transfer == 2 ? 13 : transfer)
        guard (primaries, transfer) != (1, 13),
            let points = CICP(primaries: primaries, transfer: transfer)
        else { return .sRGB }
        return .codePoints(points)
    }
}
