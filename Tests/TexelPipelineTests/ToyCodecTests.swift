#if os(Linux)
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelFormats
    import TexelJPEG
    import TexelPNG
    import TexelPixels
    import ToyCodec

    @testable import TexelPipeline

    /// A codec that a user has registered takes part in everything.
    @Suite struct ToyCodecTests {
        private let image: PixelBuffer
        private let bytes: [UInt8]
        private let plain = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))

        init() throws {
            CodecRegistry.shared.register(ToyCodec())
            image = try PixelBuffer.make(width: 40, height: 24, alphaMode: .straight) { x, y in
                UInt32(x * 6) << 24 | UInt32(x * 5) << 16 | UInt32(y * 9) << 8 | 77
            }
            bytes = try #require(ImageFormat.toy.encoding()).options.encode(image, EncodingContext())
        }

        private func request(_ recipe: Recipe) -> ImageRequest { ImageRequest(BytesSource(bytes), recipe: recipe) }

        private func decoded(_ bytes: [UInt8]) throws -> PixelBuffer {
            try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
        }

        @Test func registeredFormatsAreRecognized() throws {
            let info = try CodecRegistry.shared.open(InputBytes(bytes)).info
            #expect(info.format == .toy && info.size == image.size && info.hasAlpha)
            #expect(ImageFormat(fileExtension: "TOY") == .toy && ImageFormat.toy.mediaType == "image/x-toy")
            #expect(try decoded(bytes) == image)
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            var limits = Limits()
            limits.pixels = 40 * 24 - 1
            #expect(throws: TexelError.limitExceeded(.pixels, value: 40 * 24, allowed: 40 * 24 - 1)) {
                try CodecRegistry.shared.open(InputBytes(bytes), limits: limits)
            }
        }

        @Test func truncatedFilesReportTheirRows() throws {
            let cut = Array(bytes.dropLast(4 * 40 * 3 + 1))
            #expect(throws: TexelError.truncated(rowsRead: 20, rows: 24)) { try decoded(cut) }
        }

        @Test func resizesStreamToARegisteredFormat() async throws {
            let recipe = Recipe().resizing(width: 20)
            let result = try await plain.encodedImage(for: request(recipe))
            #expect(result.format == .toy && result.route == .streaming)
            #expect(try decoded(result.bytes) == image.resized(to: PixelSize(width: 20, height: 12)))
            let pixels = try await plain.image(for: request(recipe))
            #expect(try pixels == decoded(result.bytes))
        }

        @Test(arguments: [ImageFormat.toy, .png, .jpeg]) func registeredFormatsConvertToOthersAndBack(
            format: ImageFormat
        ) async throws {
            let result = try await plain.encodedImage(for: request(Recipe().encoding(as: format)))
            #expect(result.format == format)
            #expect(result.isKept == (format == .toy))
            let back = ImageRequest(
                BytesSource(result.bytes), recipe: Recipe().encoding(as: .toy).keepingMetadata(.none))
            let again = try await plain.encodedImage(for: back)
            #expect(again.format == .toy)
            if format != .jpeg { #expect(again.bytes == bytes) }
        }

        /// A format without profiles gets sRGB, with a warning unless all metadata are dropped on request.
        @Test func wideGamutBecomesSRGBWithAWarning() async throws {
            var wide = image
            wide.colorSpace = .codePoints(try #require(CICP(primaries: 12, transfer: 13)))
            let png = try wide.encoded(as: .png(PNGOptions(effort: .fast)))
            let recipe = Recipe().encoding(as: .toy)
            let result = try await plain.encodedImage(for: ImageRequest(BytesSource(png), recipe: recipe))
            #expect(try decoded(result.bytes) == wide.convertedToSRGB())
            #expect(result.warnings == ["the colours were converted to sRGB, because the format stores no others"])
            let bare = ImageRequest(BytesSource(png), recipe: recipe.keepingMetadata(.none))
            let unwarned = try await plain.encodedImage(for: bare)
            #expect(unwarned.bytes == result.bytes && unwarned.warnings.isEmpty)
        }

        @Test func byteLimitsApplyToRegisteredFormats() async throws {
            var recipe = Recipe().rotating(by: 180)
            recipe.output.target = EncodingTarget(byteLimit: bytes.count)
            let result = try await plain.encodedImage(for: request(recipe))
            #expect(result.bytes.count == bytes.count && result.searchSummary?.hasPrefix("toy") == true)
            recipe.output.target = EncodingTarget(byteLimit: 1000)
            await #expect(throws: TexelError.byteLimitTooLow(1000, smallest: bytes.count)) {
                try await plain.encodedImage(for: request(recipe))
            }
        }

        @Test func childProcessesGiveEqualResults() async throws {
            var configuration = Isolation.Configuration()
            configuration.program = FilePath(Program.built("IsolationHost"))
            let pool = WorkerPool(width: 1, byteBudget: 64 << 20, isolation: Isolation(configuration))
            let isolated = ImagePipeline(workers: pool)
            for recipe in [Recipe(), Recipe().resizing(width: 20), Recipe().rotating(by: 90).encoding(as: .png)] {
                let expected = try await plain.encodedImage(for: request(recipe))
                let result = try await isolated.encodedImage(for: request(recipe))
                #expect(result.bytes == expected.bytes && result.format == expected.format)
                #expect(try await isolated.image(for: request(recipe)) == plain.image(for: request(recipe)))
            }
        }
    }
#endif
