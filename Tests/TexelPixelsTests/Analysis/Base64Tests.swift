import TestSupport
import Testing
import TexelMetrics
import TexelPixels

@Suite struct Base64Tests {
    /// The examples of RFC 4648, section 10.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ])
    func examplesOfRFC4648RoundTrip(bytes: String, text: String) {
        #expect(Base64.text(Array(bytes.utf8)) == text)
        #expect(Base64.bytes(text) == Array(bytes.utf8))
    }

    @Test func allBytesComeBack() {
        var generator = SeededGenerator(seed: 1)
        for count in 0..<70 {
            let bytes = [UInt8].random(count: count, using: &generator)
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
        }
    }

    @Test(arguments: ["A", "AB", "AB=", "A===", "====", "AB==CDEF", "AB C", "ABC\u{e9}", "AB-_", "A=BC"])
    func otherTextIsRefused(text: String) { #expect(Base64.bytes(text) == nil) }
}
