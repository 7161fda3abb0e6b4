import Testing

@testable import TexelPixels

/// The description of a profile, from both forms of the tag, and from invalid tags.
@Suite struct ProfileNameTests {
    private func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// Makes a profile with a header, a table with one tag, and the tag.
    private func profile(
        _ tag: [UInt8], signature: String = "desc", offset: Int = 144, byteCount: Int? = nil
    ) -> ICCProfile? {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes.replaceSubrange(16..<20, with: "RGB ".utf8)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        bytes += word(1) + Array(signature.utf8) + word(offset) + word(byteCount ?? tag.count) + tag
        return ICCProfile(bytes)
    }

    private func description(_ text: String) -> [UInt8] {
        Array("desc".utf8) + word(0) + word(text.utf8.count + 1) + Array(text.utf8) + [0]
    }

    private func localized(_ texts: [(language: String, text: String)]) -> [UInt8] {
        var (records, strings): ([UInt8], [UInt8]) = ([], [])
        for (language, text) in texts {
            let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            records += Array(language.utf8) + word(units.count) + word(16 + texts.count * 12 + strings.count)
            strings += units
        }
        return Array("mluc".utf8) + word(0) + word(texts.count) + word(12) + records + strings
    }

    @Test func oldDescriptionGivesTheName() { #expect(profile(description("Display P3"))?.name == "Display P3") }

    @Test func usEnglishDescriptionIsPreferred() {
        #expect(profile(localized([("deDE", "Grün"), ("enUS", "Green 𝄞")]))?.name == "Green 𝄞")
        #expect(profile(localized([("deDE", "Grün"), ("enGB", "Green"), ("enUS", "Other")]))?.name == "Other")
        #expect(profile(localized([("deDE", "Grün"), ("frFR", "Vert")]))?.name == "Grün")
    }

    @Test func madeProfilesAreNamedAfterTheirColors() throws {
        let profile = try #require(
            try ColorSpace.calibrated(Calibration(gamma: 100_000, chromaticities: nil)).embeddableProfile())
        #expect(profile.name == "calibrated, gamma 1/1.0")
        #expect(try ColorSpace.displayP3.embeddableProfile()?.name == "Display P3")
    }

    @Test func profilesWithoutDescriptionHaveNoName() {
        #expect(profile([])?.name == nil)
        #expect(profile(description(""))?.name == nil)
        #expect(profile(description("x"), signature: "cprt")?.name == nil)
        #expect(profile(Array("text".utf8) + [0, 0, 0, 0, 65])?.name == nil)
    }

    /// Offsets and counts past the end of the profile, up to the largest values.
    @Test func tagsThatLie() {
        let tag = description("name")
        for lie in [0, 1, 143, 145, 1 << 20, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            _ = profile(tag, offset: lie)?.name
            _ = profile(tag, byteCount: lie)?.name
        }
        for count in tag.indices { #expect(profile(Array(tag[..<count]))?.name == nil || count == tag.count - 1) }
        var long = tag
        long.replaceSubrange(8..<12, with: word(0xFFFF_FFFF))
        #expect(profile(long)?.name == nil)
        var records = localized([("enUS", "name")])
        for position in [8, 12, 20, 24] {
            records.replaceSubrange(position..<(position + 4), with: word(0xFFFF_FFFF))
            _ = profile(records)?.name
            records = localized([("enUS", "name")])
        }
        var many = [UInt8](repeating: 0, count: 128)
        many.replaceSubrange(36..<40, with: "acsp".utf8)
        #expect(ICCProfile(many + word(0xFFFF_FFFF))?.name == nil)
    }
}
