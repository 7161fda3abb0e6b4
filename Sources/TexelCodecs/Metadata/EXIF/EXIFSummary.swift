/// What a person asks about a photograph.
public struct EXIFSummary: Sendable, Hashable {
    public var make: String?
    public var model: String?
    public var lensModel: String?
    /// When the picture was taken, else when it was last changed, as "YYYY:MM:DD HH:MM:SS" in the camera's local time.
    public var date: String?
    /// In seconds.
    public var exposureTime: Rational?
    public var fNumber: Rational?
    public var isoSpeed: UInt32?
    /// In millimetres.
    public var focalLength: Rational?
    public var copyright: String?
    public var hasGPS: Bool
}

extension EXIF {
    public var summary: EXIFSummary {
        EXIFSummary(
            make: text(EXIFTag.make, in: image),
            model: text(EXIFTag.model, in: image),
            lensModel: text(EXIFTag.lensModel, in: exif),
            date: date(EXIFTag.dateTimeOriginal, in: exif) ?? date(EXIFTag.dateTime, in: image),
            exposureTime: positive(EXIFTag.exposureTime),
            fNumber: positive(EXIFTag.fNumber),
            isoSpeed: isoSpeed,
            focalLength: positive(EXIFTag.focalLength),
            copyright: text(EXIFTag.copyright, in: image),
            hasGPS: hasGPS)
    }

    /// The 16-bit tag, or one of the 32-bit ones where the former is saturated (CIPA DC-008, 4.6.6.7).
    private var isoSpeed: UInt32? {
        let tags = [
            EXIFTag.photographicSensitivity, EXIFTag.isoSpeed, EXIFTag.recommendedExposureIndex,
            EXIFTag.standardOutputSensitivity,
        ]
        let values = tags.compactMap { exif?[$0].flatMap { block.unsigned($0) } }.filter { $0 > 0 }
        return values.first { $0 != UInt32(UInt16.max) } ?? values.first
    }

    private func positive(_ tag: UInt16) -> Rational? {
        exif?[tag].flatMap { block.rational($0) }.flatMap { $0.isPositive ? $0 : nil }
    }

    /// Cameras without a clock write blanks or zeros.
    private func date(_ tag: UInt16, in directory: TIFFDirectory?) -> String? {
        text(tag, in: directory).flatMap { $0.contains { ("1"..."9").contains($0) } ? $0 : nil }
    }

    /// A text up to its first NUL, without blanks at its ends and without control characters, which a terminal would
    /// obey. Writers put UTF-8 where the standard says ASCII; what is not UTF-8 is replaced.
    private func text(_ tag: UInt16, in directory: TIFFDirectory?) -> String? {
        guard let entry = directory?[tag], entry.type == .ascii || entry.type == .utf8,
            let bytes = block.bytes(of: entry)
        else { return nil }
        let decoded = String(decoding: bytes.prefix(while: { $0 != 0 }).prefix(1024), as: UTF8.self)
        let printable = decoded.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let words = String(String.UnicodeScalarView(printable)).split(separator: " ", omittingEmptySubsequences: false)
        let trimmed = words.trimmingEmptyEnds.joined(separator: " ")
        return trimmed.isEmpty ? nil : trimmed
    }
}

extension Array where Element: Collection {
    fileprivate var trimmingEmptyEnds: ArraySlice<Element> {
        guard let first = firstIndex(where: { !$0.isEmpty }), let last = lastIndex(where: { !$0.isEmpty }) else {
            return []
        }
        return self[first...last]
    }
}
