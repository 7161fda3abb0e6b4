#if WebP
    import Foundation
    import TestSupport
    import Testing
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
                let name = file.lastPathComponent
                let bytes = Array(try Data(contentsOf: file))
                let outcome = try RunningProgram(WebPCorpus.dwebp, [file.path, "-pam", "-o", "-"]).wait()
                guard outcome.status == 0 else {
                    // dwebp reads no animations.
                    if let source = try? checks.source(bytes), source.info.isAnimation { continue }
                    #expect(throws: CodecError.self, "\(name)") { try checks.decoded(bytes) }
                    refused += 1
                    continue
                }
                let expected = try CodecChecks(PNMCodec()).decoded(outcome.output).image
                let image = try checks.decoded(bytes).image
                #expect(image.pixels == expected.pixels && image.size == expected.size, "\(name)")
                equal += 1
            }
            print("webp: \(equal) files compared, \(refused) refused by both")
            #expect(equal > 0)
        }
    }

    /// The files, and the program to compare with.
    private enum WebPCorpus {
        static let dwebp = "/usr/bin/dwebp"

        static let files: [URL] =
            TestFolders.corpora.map { root in
                TestFolders.files(below: root.appendingPathComponent("webp", isDirectory: true))
                    .filter { $0.pathExtension == "webp" }
            } ?? []

        static var isThere: Bool { !files.isEmpty && FileManager.default.isExecutableFile(atPath: dwebp) }
    }
#endif
