package import TexelPixels

struct UnusableProfile: Error {}

/// Returns a grey profile with a power-law curve (ISO 15076-1): header, tag table, the four required tags.
package func grayProfile(gamma: Double) throws -> ICCProfile {
    func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    func fixed(_ value: Double) -> [UInt8] { number(UInt32((value * 65536).rounded())) }
    func text(_ string: String) -> [UInt8] { Array(string.utf8) }
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }

    let d50 = fixed(0.9642) + fixed(1) + fixed(0.8249)
    let name = "gray"
    let description =
        text("desc") + number(0) + number(UInt32(name.utf8.count + 1)) + text(name) + [0]
        + [UInt8](repeating: 0, count: 78)
    let exponent = [UInt8(gamma), UInt8((gamma - gamma.rounded(.down)) * 256)]
    let tags: [(String, [UInt8])] = [
        ("desc", padded(description)),
        ("cprt", padded(text("text") + number(0) + text("none") + [0])),
        ("wtpt", text("XYZ ") + number(0) + d50),
        ("kTRC", padded(text("curv") + number(0) + number(1) + exponent)),
    ]
    var table = number(UInt32(tags.count))
    var data: [UInt8] = []
    let dataStart = 128 + 4 + 12 * tags.count
    for (signature, bytes) in tags {
        table += text(signature) + number(UInt32(dataStart + data.count)) + number(UInt32(bytes.count))
        data += bytes
    }
    let size = number(UInt32(dataStart + data.count))
    var header = size + number(0) + number(0x0210_0000) + text("mntrGRAYXYZ ")
    header += [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + text("acsp")
    header += [UInt8](repeating: 0, count: 28) + d50
    header += [UInt8](repeating: 0, count: 128 - header.count)
    guard let profile = ICCProfile(header + table + data) else { throw UnusableProfile() }
    return profile
}
