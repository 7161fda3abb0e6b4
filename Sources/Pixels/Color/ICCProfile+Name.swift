import TexelCore

extension ICCProfile {
    /// The profile's description, such as "Display P3", in English if it has several; `nil` if it has none that can be
    /// read.
    ///
    /// Reads both forms of the tag `desc`: `textDescriptionType` (ICC.1:2001-04, 6.5.17) and
    /// `multiLocalizedUnicodeType` (ICC.1:2022, 10.15). Parsed in Swift, because names are also requested of profiles
    /// that are not otherwise used; Little CMS need not open those.
    public var name: String? {
        guard let tag = tag("desc"), let type = tag.text(at: 0, count: 4) else { return nil }
        let name: String? =
            switch type {
            case "desc": tag.number(at: 8).flatMap { tag.text(at: 12, count: $0) }
            case "mluc": tag.localizedText
            default: nil
            }
        let shown = name.map { String($0.prefix { $0 != "\0" }) }
        return shown?.isEmpty ?? true ? nil : shown
    }

    /// Returns the data of the tag with this signature (ICC.1:2022, 7.3).
    private func tag(_ signature: String) -> ArraySlice<UInt8>? {
        let all = bytes[...]
        // Valid profiles have a few dozen tags.
        guard let count = all.number(at: 128) else { return nil }
        for index in 0..<min(count, 100) {
            let entry = 132 + index * 12
            guard let found = all.text(at: entry, count: 4), let offset = all.number(at: entry + 4),
                let byteCount = all.number(at: entry + 8)
            else { return nil }
            if found == signature { return all.part(offset, byteCount) }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Returns bytes relative to the start of the slice; `nil` if they are not inside it.
    fileprivate func part(_ offset: Int, _ byteCount: Int) -> ArraySlice? {
        guard offset >= 0, byteCount >= 0, offset <= count, byteCount <= count - offset else { return nil }
        return self[(startIndex + offset)..<(startIndex + offset + byteCount)]
    }

    /// Returns a big-endian 32-bit number.
    fileprivate func number(at offset: Int) -> Int? {
        part(offset, 4).map { $0.bigEndian(4, at: $0.startIndex) }
    }

    fileprivate func text(at offset: Int, count: Int) -> String? {
        part(offset, count).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text of a `multiLocalizedUnicodeType`: en-US, otherwise any English, otherwise the first.
    fileprivate var localizedText: String? {
        guard let count = number(at: 8), number(at: 12) == 12 else { return nil }
        var best: (rank: Int, text: String)?
        for index in 0..<Swift.min(count, 1000) {
            let record = 16 + index * 12
            guard let language = text(at: record, count: 4), let byteCount = number(at: record + 4),
                let offset = number(at: record + 8), let units = part(offset, byteCount)
            else { break }
            let rank = language == "enUS" ? 2 : language.hasPrefix("en") ? 1 : 0
            guard best.map({ rank > $0.rank }) ?? true else { continue }
            let pairs = stride(from: units.startIndex, to: units.endIndex - 1, by: 2)
            best = (
                rank, String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
            )
        }
        return best?.text
    }
}
