#if JXL
    import TestSupport
    import Testing
    import TexelCore
    import TexelFormats
    import TexelJPEG
    import TexelPipeline
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelJXL

    /// JPEGs in JPEG XL files.
    @Suite struct JXLStoringTests {
        private func jpeg(
            _ options: JPEGOptions = JPEGOptions(), orientation: Orientation? = .identity, _ isGray: Bool = false
        ) throws -> [UInt8] {
            let image = try PixelBuffer.make(width: 61, height: 47, alphaMode: .opaque) { x, y in
                let value = UInt32((x * 3 + y * 2) % 256)
                return 0xFF00_0000 | value << 16 | (isGray ? value << 8 | value : UInt32(y * 5) << 8 | 90)
            }
            let exif = orientation.map { TestEXIF.block(orientation: $0) }
            return try image.encoded(as: .jpeg(options), metadata: WrittenMetadata(exif: exif))
        }

        private func result(
            _ bytes: [UInt8], to format: ImageFormat, _ change: (inout Recipe) -> Void = { _ in }
        ) throws -> EncodedImage {
            var recipe = Recipe()
            recipe.output.isLossless = true
            recipe.output.metadata = .all
            change(&recipe)
            let source = try CodecRegistry.shared.open(InputBytes(bytes))
            let plan = try Planner.plan(recipe, for: source.info, to: .file(format))
            return try plan.file(RouteContext(source))
        }

        /// Every JPEG comes back byte for byte, by the program's routes and by the library alone.
        @Test func jpegsAreRestoredExactly() throws {
            let options = [
                JPEGOptions(quality: 30), JPEGOptions(quality: 95, effort: .best),
                JPEGOptions(quality: 80, effort: .fast),
            ]
            for options in options {
                for orientation in [nil, Orientation.identity, .rotated90, .transversed] {
                    for isGray in [false, true] {
                        let jpeg = try jpeg(options, orientation: orientation, isGray)
                        let stored = try result(jpeg, to: .jxl)
                        #expect(stored.route == .transcode)
                        #expect(stored.warnings.isEmpty)
                        let source = try CodecRegistry.shared.open(InputBytes(stored.bytes))
                        #expect(source.info.storedFormat == .jpeg)
                        #expect(source.info.orientation == orientation ?? .identity)
                        #expect(source.info.metadata.exif?.hasGPS == (orientation == nil ? nil : true))
                        #expect(try source.storedFile(DecodeOptions()) == jpeg)
                        let restored = try result(stored.bytes, to: .jpeg)
                        #expect(restored.route == .transcode)
                        #expect(restored.bytes == jpeg)
                    }
                }
            }
        }

        /// JPEGs that libjxl writes in several pieces come back too.
        @Test func largeJPEGs() throws {
            for (width, quality) in [(400, 98), (700, 90)] {
                let image = try PixelBuffer.random(width: width, height: 300, alphaMode: .opaque)
                let jpeg = try image.encoded(as: .jpeg(JPEGOptions(quality: quality, effort: .fast)))
                #expect(jpeg.count > 150_000)
                let stored = try result(jpeg, to: .jxl)
                #expect(stored.route == .transcode)
                #expect(try result(stored.bytes, to: .jpeg).bytes == jpeg)
                var options = DecodeOptions()
                options.policy.limits.inputBytes = jpeg.count - 1
                let source = try CodecRegistry.shared.open(InputBytes(stored.bytes))
                #expect(
                    throws: TexelError.limitExceeded(.inputBytes, value: jpeg.count, allowed: jpeg.count - 1)
                ) { try source.storedFile(options) }
            }
        }

        /// The pixels are about those of the JPEG: libjxl estimates what quantisation has lost.
        @Test func storedPixelsAreTheJPEGs() throws {
            let jpeg = try jpeg(JPEGOptions(quality: 90, subsampling: .yuv444))
            let stored = try result(jpeg, to: .jxl)
            let pixels = try CodecRegistry.shared.open(InputBytes(stored.bytes)).decodedAsStored().image
            #expect(meanDifference(pixels, try CodecRegistry.shared.open(InputBytes(jpeg)).decodedAsStored().image) < 2)
        }

        /// Less metadata are stored if the recipe keeps less; the JPEG that comes back lacks the same.
        @Test(arguments: [MetadataPolicy.none, .color, .privacy])
        func storedMetadataFollowThePolicy(_ policy: MetadataPolicy) throws {
            let jpeg = try jpeg(orientation: .rotated90)
            let stored = try result(jpeg, to: .jxl) { $0.output.metadata = policy }
            #expect(stored.route == .transcode)
            let latitude: [UInt8] = [0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 51, 0, 0, 0, 1]
            #expect(jpeg.contains(latitude))
            #expect(!stored.bytes.contains(latitude))
            let restored = try #require(
                try CodecRegistry.shared.open(InputBytes(stored.bytes)).storedFile(DecodeOptions()))
            let source = try CodecRegistry.shared.open(InputBytes(restored))
            #expect(source.info.orientation == .rotated90)
            #expect(source.info.metadata.exif?.hasGPS != true)
            expectPixelsEqual(
                try source.decodedAsStored().image,
                try CodecRegistry.shared.open(InputBytes(jpeg)).decodedAsStored().image)
        }

        /// A file whose metadata change no longer has the JPEG, which has the old ones.
        @Test func rewritingDropsTheJPEG() throws {
            let stored = try result(try jpeg(), to: .jxl)
            let source = try CodecRegistry.shared.open(InputBytes(stored.bytes))
            let metadata = source.info.metadata.kept(
                under: .all, orientation: .identity, size: source.info.size, keepsThumbnail: true)
            #expect(
                try source.rewritten(metadata: metadata, keeping: [.color, .attachments], stop: nil) == stored.bytes)
            for (metadata, keeping) in [
                (WrittenMetadata(), KeptParts.color), (metadata, .color),
                (WrittenMetadata(), KeptParts([.color, .attachments])),
            ] {
                let copy = try source.rewritten(metadata: metadata, keeping: keeping, stop: nil)
                let info = try CodecRegistry.shared.open(InputBytes(copy)).info
                #expect(info.storedFormat == nil)
                #expect((info.metadata.exif == nil) == (metadata.exif == nil))
                #expect(
                    try CodecRegistry.shared.open(InputBytes(copy)).decodedAsStored().image
                        == source.decodedAsStored().image)
            }
        }

        /// Without a JPEG's data, or with damaged data, a lossless JPEG is refused.
        @Test func losslessJPEGsRequireIntactReconstructionData() throws {
            let plain = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque).encoded(as: .jxl())
            #expect(throws: TexelError.notLossless("new pixels are encoded as a JPEG")) {
                try result(plain, to: .jpeg)
            }
            // The program of the reconstruction is damaged; the pixels are not.
            var stored = try result(try jpeg(), to: .jxl).bytes
            let place = try #require(stored.indices.first { stored[$0...].starts(with: "jbrd".utf8) })
            for index in (place + 8)..<(place + 24) { stored[index] ^= 0x55 }
            #expect(throws: TexelError.notLossless("new pixels are encoded as a JPEG")) {
                try result(stored, to: .jpeg)
            }
        }

        /// Pixels are encoded if the recipe changes them or asks for a quality.
        @Test func otherRecipesEncodeThePixels() throws {
            let jpeg = try jpeg()
            let changes: [(inout Recipe) -> Void] = [
                { $0 = $0.resizing(width: 20) }, { $0.output.quality = 50 }, { $0.output.isLossless = false },
                { $0.output.target.score = 80 },
            ]
            for change in changes { #expect(try result(jpeg, to: .jxl, change).route != .transcode) }
            let converted = try result(jpeg, to: .jxl) { ($0.output.isLossless, $0.output.compresses) = (false, false) }
            #expect(converted.route == .transcode)
        }
    }
#endif
