import TexelCodecs

/// The types and the number of values that TIFF 6.0 defines for a field. Readers ignore other forms, with a warning, or
/// refuse the file.
struct TIFFFieldForm: Sendable {
    private let types: [TIFFType]
    /// The allowed numbers of values, the largest first; empty if every number is allowed.
    private let counts: [Int]

    private init(_ types: [TIFFType], _ counts: [Int] = []) { (self.types, self.counts) = (types, counts) }

    /// Returns a field in its defined form: without values that are too many. Fields without a form are returned as
    /// they are.
    ///
    /// - Returns: `nil` for another type, or too few values.
    static func wellFormed(_ value: TIFFValue, in layout: TIFFLayout) -> TIFFValue? {
        guard let form = form(of: value.tag, layout) else { return value }
        guard form.types.contains(where: { $0.rawValue == value.type }) else { return nil }
        if form.counts.isEmpty { return value }
        guard let count = form.counts.first(where: { $0 <= value.count }) else { return nil }
        let size = TIFFEntry.elementSize(value.type) ?? 1
        return TIFFValue(
            tag: value.tag, type: value.type, count: count, bytes: Array(value.bytes.prefix(count * size)))
    }

    private static func form(of tag: UInt16, _ layout: TIFFLayout) -> TIFFFieldForm? {
        let steps = 1 << layout.bits
        return switch tag {
        // MinSampleValue, MaxSampleValue, GrayResponseCurve.
        case 280, 281: TIFFFieldForm([.short], [layout.samples])
        case 291: TIFFFieldForm([.short], [steps])
        case TIFFTag.transferFunction: TIFFFieldForm([.short], [3 * steps, steps])
        default: forms[tag]
        }
    }

    /// The forms that do not depend on the image.
    private static let forms: [UInt16: TIFFFieldForm] = {
        let (short, long) = (TIFFFieldForm([.short], [1]), TIFFFieldForm([.long], [1]))
        let (rational, text) = (TIFFFieldForm([.rational], [1]), TIFFFieldForm([.ascii, .utf8]))
        return [
            TIFFTag.newSubfileType: long, TIFFTag.subfileType: short, TIFFTag.orientation: short,
            TIFFTag.xResolution: rational, TIFFTag.yResolution: rational, TIFFTag.resolutionUnit: short,
            TIFFTag.group4Options: long, TIFFTag.pageNumber: TIFFFieldForm([.short], [2]),
            TIFFTag.whitePoint: TIFFFieldForm([.rational], [2]),
            TIFFTag.primaryChromaticities: TIFFFieldForm([.rational], [6]),
            TIFFTag.yCbCrCoefficients: TIFFFieldForm([.rational], [3]), TIFFTag.yCbCrPositioning: short,
            TIFFTag.referenceBlackWhite: TIFFFieldForm([.rational], [6]),
            TIFFTag.xmp: TIFFFieldForm([.byte, .undefined]), TIFFTag.profile: TIFFFieldForm([.undefined, .byte]),
            // Threshholding, CellWidth, CellLength, DocumentName, ImageDescription, Make, Model, PageName, XPosition,
            // YPosition, GrayResponseUnit, Software, DateTime, Artist, HostComputer, HalftoneHints, CleanFaxData,
            // InkNames, NumberOfInks, TargetPrinter, TransferRange, Copyright.
            263: short, 264: short, 265: short, 269: text, 270: text, 271: text, 272: text, 285: text, 286: rational,
            287: rational, 290: short, 305: text, 306: text, 315: text, 316: text,
            321: TIFFFieldForm([.short], [2]), 327: short, 333: text, 334: short, 337: text,
            342: TIFFFieldForm([.short], [6]), 33432: text,
        ]
    }()
}
