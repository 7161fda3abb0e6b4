#if WebP
    import Foundation
    import TestSupport
    import Testing
    import TexelCore
    import TexelPNM
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelWebP

    /// Real files, in the subfolder `webp` of the corpora (webmproject/libwebp-test-data), compared with dwebp.
    @Suite(.enabled(if: WebPCorpus.isThere, "TEXEL_CORPORA has no WebP files, or dwebp is not installed"))
    struct WebPConformanceTests {
        private let checks = CodecChecks(WebPCodec())

        /// Every still image has dwebp's pixels; what dwebp refuses is refused.
        @Test(.timeLimit(.minutes(10))) func imagesAreThoseOfDwebp() throws {
            var (equal, refused) = (0, 0)
            for file in WebPCorpus.files {
                let name = Corpora.name(of: file)
                let bytes = try Corpora.bytes(file)
                let outcome = try WebPCorpus.dwebp.outcome([file.path, "-pam", "-o", "-"])
                guard outcome.status == 0 else {
                    // dwebp reads no animations.
                    if let source = try? checks.source(bytes), source.info.isAnimation { continue }
                    #expect(throws: TexelError.self, "\(name)") { try checks.decoded(bytes) }
                    refused += 1
                    continue
                }
                let expected = try CodecChecks(PNMCodec()).decoded(outcome.output).image
                let image = try checks.decoded(bytes).image
                // A PAM has alpha also for an image whose header declares none.
                let mask: UInt32 = image.alphaMode == .opaque ? 0xFF00_0000 : 0
                #expect(image.size == expected.size, "\(name)")
                #expect(image.pixels == expected.pixels.map { $0 | mask }, "\(name)")
                equal += 1
            }
            print("webp: \(equal) files compared, \(refused) refused by both")
            #expect(equal > 0)
        }
    }

    /// The files, and the program to compare with.
    private enum WebPCorpus {
        static let dwebp = ReferenceProgram("dwebp")

        static let files = Corpora.files("webp", extensions: ["webp"])

        static var isThere: Bool { !files.isEmpty && dwebp.isThere("-version") }
    }
#endif
