/// The most useful EXIF values of a photograph.
public struct EXIFSummary: Sendable, Hashable {
    /// The manufacturer of the camera.
    public var make: String?
    /// The model of the camera.
    public var model: String?
    /// The model of the lens.
    public var lensModel: String?
    /// When the photograph was taken, else when the file was changed, as "YYYY:MM:DD HH:MM:SS" in the camera's local
    /// time.
    public var date: String?
    /// The exposure time in seconds.
    public var exposureTime: Rational?
    /// The f-number of the aperture.
    public var fNumber: Rational?
    /// The ISO speed.
    public var isoSpeed: UInt32?
    /// The focal length in millimetres.
    public var focalLength: Rational?
    /// The copyright statement.
    public var copyright: String?
    /// Whether the file holds location data.
    public var hasGPS: Bool
}

extension EXIF {
    /// The most useful values, as text and numbers.
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

    /// The 16-bit sensitivity tag, or a 32-bit one if the former has its maximum value (CIPA DC-008, 4.6.6.7).
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

    /// Returns a date, or `nil` if it has no digit except 0: cameras without a clock write blanks or zeros.
    private func date(_ tag: UInt16, in directory: TIFFDirectory?) -> String? {
        text(tag, in: directory).flatMap { $0.contains { ("1"..."9").contains($0) } ? $0 : nil }
    }

    /// Returns a text up to its first NUL, at most 1,024 bytes, without leading and trailing spaces and without control
    /// characters, which a terminal would interpret. Writers use UTF-8 although the standard requires ASCII; invalid
    /// UTF-8 is replaced.
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
