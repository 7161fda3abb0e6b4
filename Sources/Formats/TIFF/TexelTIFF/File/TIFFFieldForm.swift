import TexelCodecs

/// The types, the number of values, and the values that TIFF 6.0 defines for a field. Readers ignore other forms, with
/// a warning, or refuse the file.
struct TIFFFieldForm: Sendable {
    private let types: [TIFFType]
    /// The allowed numbers of values, the largest first; empty if every number is allowed.
    private let counts: [Int]
    /// The values of a field of one number; `nil` if every value is allowed.
    private let values: ClosedRange<UInt16>?

    private init(_ types: [TIFFType], _ counts: [Int] = [], values: ClosedRange<UInt16>? = nil) {
        (self.types, self.counts, self.values) = (types, counts, values)
    }

    /// A field of one number.
    private static func short(_ values: ClosedRange<UInt16>) -> TIFFFieldForm {
        TIFFFieldForm([.short], [1], values: values)
    }

    /// Returns a field in its defined form: without values that are too many. Fields without a form are returned as
    /// they are.
    ///
    /// - Returns: `nil` for another type, too few values, or an undefined value.
    static func wellFormed(_ value: TIFFValue, in layout: TIFFLayout, _ order: ByteOrder) -> TIFFValue? {
        guard let form = form(of: value.tag, layout) else { return value }
        guard form.types.contains(where: { $0.rawValue == value.type }) else { return nil }
        if value.tag == TIFFTag.inkNames {
            // Each name ends with a NUL.
            return inkCounts(layout).contains(UInt16(clamping: value.bytes.count(where: { $0 == 0 }))) ? value : nil
        }
        if form.counts.isEmpty { return value }
        guard let count = form.counts.first(where: { $0 <= value.count }) else { return nil }
        if let values = form.values {
            guard values.contains(where: { value.bytes.starts(with: order.bytes($0)) }) else { return nil }
        }
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
        case TIFFTag.numberOfInks: short(inkCounts(layout))
        default: forms[tag]
        }
    }

    /// The numbers of inks that an image can have: with or without its extra samples.
    private static func inkCounts(_ layout: TIFFLayout) -> ClosedRange<UInt16> {
        let samples = UInt16(clamping: layout.samples)
        return min(samples, UInt16(clamping: layout.color.sampleCount))...samples
    }

    /// The forms that do not depend on the image.
    private static let forms: [UInt16: TIFFFieldForm] = {
        let (short, long) = (TIFFFieldForm([.short], [1]), TIFFFieldForm([.long], [1]))
        let (rational, text) = (TIFFFieldForm([.rational], [1]), TIFFFieldForm([.ascii, .utf8]))
        return [
            TIFFTag.newSubfileType: long, TIFFTag.subfileType: short, TIFFTag.orientation: Self.short(1...8),
            TIFFTag.xResolution: rational, TIFFTag.yResolution: rational, TIFFTag.resolutionUnit: Self.short(1...3),
            TIFFTag.group4Options: long, TIFFTag.pageNumber: TIFFFieldForm([.short], [2]),
            TIFFTag.whitePoint: TIFFFieldForm([.rational], [2]),
            TIFFTag.primaryChromaticities: TIFFFieldForm([.rational], [6]),
            TIFFTag.yCbCrCoefficients: TIFFFieldForm([.rational], [3]), TIFFTag.yCbCrPositioning: short,
            TIFFTag.referenceBlackWhite: TIFFFieldForm([.rational], [6]),
            TIFFTag.xmp: TIFFFieldForm([.byte, .undefined]), TIFFTag.profile: TIFFFieldForm([.undefined, .byte]),
            // Threshholding, CellWidth, CellLength, DocumentName, ImageDescription, Make, Model, PageName, XPosition,
            // YPosition, GrayResponseUnit, Software, DateTime, Artist, HostComputer, HalftoneHints, CleanFaxData,
            // TargetPrinter, TransferRange, Copyright.
            263: short, 264: short, 265: short, 269: text, 270: text, 271: text, 272: text, 285: text, 286: rational,
            287: rational, 290: short, 305: text, 306: text, 315: text, 316: text,
            321: TIFFFieldForm([.short], [2]), 327: short, TIFFTag.inkNames: text, 337: text,
            342: TIFFFieldForm([.short], [6]), 33432: text,
        ]
    }()
}
