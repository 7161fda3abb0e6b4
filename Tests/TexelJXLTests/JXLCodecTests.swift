#if JXL
    import TestSupport
    import Testing
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelJXL

    /// The properties of every codec, for JPEG XL with and without loss.
    @Suite struct JXLCodecTests {
        private let checks = CodecChecks(JXLCodec())

        private func file(
            _ options: JXLOptions, _ alphaMode: AlphaMode = .straight,
            _ size: PixelSize = PixelSize(width: 61, height: 47), metadata: WrittenMetadata = WrittenMetadata()
        ) throws -> [UInt8] {
            try CodecChecks.smoothImage(size, alphaMode).encoded(as: .jxl(options), metadata: metadata)
        }

        @Test func losslessRoundTrips() throws {
            try checks.checkRoundTrips(JXLOptions(isLossless: true))
            try checks.checkRoundTrips(JXLOptions(isLossless: true, effort: .fast))
        }

        @Test func lossyRoundTrips() throws {
            for effort in Effort.allCases {
                try checks.checkRoundTrips(JXLOptions(quality: 95, effort: effort), meanTolerance: 3)
            }
        }

        @Test func metadataSurviveARoundTrip() throws {
            try checks.checkMetadata(JXLOptions())
            try checks.checkMetadata(JXLOptions(isLossless: true))
        }

        @Test(arguments: [true, false]) func damagedFilesNeverTrap(isLossless: Bool) throws {
            for metadata in [WrittenMetadata(), WrittenMetadata(exif: TestEXIF.block(orientation: .identity))] {
                let bytes = try file(JXLOptions(isLossless: isLossless), metadata: metadata)
                try checks.checkTruncations(of: bytes)
                checks.checkMutations(of: bytes, count: 300, seed: isLossless ? 1 : 2)
            }
        }

        @Test(arguments: [true, false]) func arrivingFilesDecodeLikeWholeFiles(isLossless: Bool) async throws {
            let image = try PixelBuffer.random(width: 90, height: 70, alphaMode: .straight)
            for seed in 1...4 {
                let metadata = WrittenMetadata(exif: seed > 2 ? TestEXIF.block(orientation: .identity) : nil)
                let bytes = try image.encoded(as: .jxl(JXLOptions(isLossless: isLossless)), metadata: metadata)
                try await checks.checkArriving(bytes, seed: UInt64(seed))
                try await checks.checkArriving(Array(bytes.dropLast(bytes.count / 3)), seed: UInt64(seed))
            }
        }

        /// The image has several groups of 256×256 pixels.
        @Test func threadsDoNotChangeThePixels() throws {
            let image = try PixelBuffer.random(width: 531, height: 300, alphaMode: .straight)
            for options in [JXLOptions(), JXLOptions(isLossless: true)] {
                try checks.checkParallelism(try image.encoded(as: .jxl(options)))
            }
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            try checks.checkLimits(try file(JXLOptions()))
            try checks.checkLimits(try file(JXLOptions(isLossless: true), .opaque))
        }
    }
#endif
