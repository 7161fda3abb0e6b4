// A release build of the whole package also compiles this target, without the Testing module.
#if canImport(Testing)
    import Foundation
    package import Testing
    package import TexelCodecs
    package import TexelCore
    package import TexelPixels

    /// Properties that every codec has, checked with files of its format.
    package struct CodecChecks: Sendable {
        private let codec: any ImageCodec
        private let registry: CodecRegistry
        /// Small enough that mutated headers cannot make a test slow.
        private let limits: Limits = {
            var limits = Limits()
            limits.pixels = 1 << 20
            limits.codecBytes = 256 << 20
            limits.metadataBytes = 1 << 20
            limits.frames = 100
            return limits
        }()

        package init(_ codec: any ImageCodec) {
            self.codec = codec
            registry = CodecRegistry([codec])
        }

        package func source(_ bytes: [UInt8], _ limits: Limits = Limits()) throws(TexelError) -> any ImageFile {
            try registry.open(InputBytes(bytes), limits: limits)
        }

        package func decoded(
            _ bytes: [UInt8], _ strictness: Strictness = .truncated, frame: Int? = nil, shrink: Int = 1,
            limits: Limits = Limits()
        ) throws(TexelError) -> DecodedImage {
            var options = DecodeOptions()
            options.policy = DecodePolicy(limits: limits, strictness: strictness)
            (options.frame, options.shrink) = (frame, shrink)
            return try source(bytes, limits).decodedAsStored(options)
        }

        private func result(_ work: () throws(TexelError) -> DecodedImage) -> Result<DecodedImage, TexelError> {
            do throws(TexelError) { return .success(try work()) } catch { return .failure(error) }
        }

        // MARK: Damage

        /// Reads a file in all ways, whatever it is. Every error says something; a header that is valid has an image
        /// with its size, or an error.
        private func exercise(_ bytes: [UInt8], _ strictness: Strictness, shrink: Int, _ location: SourceLocation) {
            do throws(TexelError) {
                let source = try source(bytes, limits)
                let info = source.info
                #expect(info.size.isPositive, sourceLocation: location)
                let metadata = info.metadata.kept(
                    under: .all, orientation: .identity, size: info.size, keepsThumbnail: false)
                let copy = try source.rewritten(metadata: metadata, keeping: [.color], stop: nil)
                let shrink = info.decodeScales.contains(shrink) ? shrink : 1
                let image = try decoded(bytes, strictness, shrink: shrink, limits: limits).image
                if shrink == 1 { #expect(image.size == info.size, sourceLocation: location) }
                if strictness != .none {
                    #expect(try self.source(copy, limits).info.size == info.size, sourceLocation: location)
                }
                if info.isAnimation, let animation = try source.animation(limits: limits) {
                    var options = DecodeOptions()
                    options.policy = DecodePolicy(limits: limits, strictness: strictness)
                    let canvas = try AnimationCanvas(animation)
                    for frame in animation.frames.indices.prefix(8) { try canvas.draw(frame, options) }
                }
            } catch {
                #expect(!"\(error)".isEmpty, sourceLocation: location)
            }
        }

        /// Cuts a file at every length, or at about `count` lengths.
        ///
        /// With the strictness `truncated`, only a file that lacks nothing that the image needs is decoded, and then to
        /// the same pixels.
        package func checkTruncations(
            of bytes: [UInt8], count: Int = .max, sourceLocation location: SourceLocation = #_sourceLocation
        ) throws {
            let whole = try decoded(bytes)
            let step = max(1, bytes.count / count)
            for length in Swift.stride(from: 0, to: bytes.count, by: step) {
                let part = Array(bytes[..<length])
                exercise(part, .none, shrink: 1, location)
                if case .success(let decoded) = result({ () throws(TexelError) in try self.decoded(part) }) {
                    #expect(
                        decoded.image == whole.image, "cut at \(length) of \(bytes.count)", sourceLocation: location)
                }
            }
        }

        /// Damages a file in random places.
        ///
        /// - Parameter repairing: corrects checksums after each change, which would otherwise hide the damage.
        package func checkMutations(
            of bytes: [UInt8], count: Int, seed: UInt64, repairing: ([UInt8]) -> [UInt8] = { $0 },
            sourceLocation location: SourceLocation = #_sourceLocation
        ) {
            var generator = SeededGenerator(seed: seed)
            for round in 0..<count {
                let mutant = repairing(Self.mutated(bytes, using: &generator))
                let strictness = [Strictness.none, .truncated, .error, .none][round / 2 % 4]
                exercise(mutant, strictness, shrink: [1, 1, 2, 8][round % 4], location)
            }
        }

        /// Returns a file with one to six random changes.
        package static func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                // Half of the changes are in the header, which has the most effect.
                let end = Bool.random(using: &generator) ? min(bytes.count, 120) : bytes.count
                let place = Int.random(in: 0..<end, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: bytes[place] = .random(in: 0 ... .max, using: &generator)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
                case 3: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                case 4:
                    let count = min(Int.random(in: 1...64, using: &generator), bytes.count - place)
                    bytes.insert(contentsOf: bytes[place..<(place + count)], at: place)
                default:
                    bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...32, using: &generator)))
                }
            }
            return bytes
        }

        // MARK: Arriving

        /// Decodes a file that another thread sends in random pieces, often single bytes: the result is the same.
        package func checkArriving(
            _ bytes: [UInt8], seed: UInt64, sourceLocation location: SourceLocation = #_sourceLocation
        ) async throws {
            let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
            let registry = registry
            async let outcome = Self.onThread { () -> Result<DecodedImage, TexelError> in
                do throws(TexelError) {
                    return .success(
                        try registry.open(arriving: arriving, stop: nil).decodedAsStored())
                } catch {
                    return .failure(error)
                }
            }
            var generator = SeededGenerator(seed: seed)
            var position = 0
            while position < bytes.count {
                let largest = Bool.random(using: &generator) ? 1 : max(1, bytes.count / 20)
                let end = min(bytes.count, position + Int.random(in: 1...largest, using: &generator))
                let piece = bytes[position..<end]
                try Array(piece).withUnsafeBytes { try arriving.append($0) }
                position = end
            }
            arriving.finish()
            switch (await outcome, result { () throws(TexelError) in try decoded(bytes) }) {
            case (.success(let left), .success(let right)):
                #expect(left.image == right.image, sourceLocation: location)
                #expect(left.metadata == right.metadata, sourceLocation: location)
            case (.failure(let left), .failure(let right)):
                #expect(left == right, sourceLocation: location)
            case (let left, let right):
                Issue.record("arriving \(left), whole \(right)", sourceLocation: location)
            }
        }

        /// Runs `work`, which may block, on its own thread.
        private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: work()) }
            }
        }

        // MARK: Threads

        /// Decodes at each scale with several threads: the pixels are those of one thread.
        package func checkParallelism(
            _ bytes: [UInt8], sourceLocation location: SourceLocation = #_sourceLocation
        ) throws {
            let source = try source(bytes)
            for shrink in source.info.decodeScales {
                let images = try [1, 4].map { parallelism in
                    var options = DecodeOptions()
                    (options.shrink, options.parallelism) = (shrink, parallelism)
                    return try source.decodedAsStored(options).image
                }
                #expect(images[0] == images[1], "scale 1/\(shrink)", sourceLocation: location)
            }
        }

        // MARK: Limits

        /// Refuses the file by its size, side and area, and its pixels in memory, each by its typed error.
        package func checkLimits(
            _ bytes: [UInt8], sourceLocation location: SourceLocation = #_sourceLocation
        ) throws {
            let size = try source(bytes).info.size
            let pixels = size.width * size.height
            func expect(_ kind: LimitKind, _ value: Int, _ change: (inout Limits) -> Void) {
                var limits = Limits()
                change(&limits)
                #expect(
                    throws: TexelError.limitExceeded(kind, value: value, allowed: value - 1), sourceLocation: location
                ) { try source(bytes, limits) }
            }
            expect(.side, max(size.width, size.height)) { $0.side = max(size.width, size.height) - 1 }
            expect(.pixels, pixels) { $0.pixels = pixels - 1 }
            var options = DecodeOptions()
            options.policy.limits.plannedBytes = pixels * 4 - 1
            #expect(
                throws: TexelError.limitExceeded(.plannedBytes, value: pixels * 4, allowed: pixels * 4 - 1),
                sourceLocation: location
            ) { try source(bytes).decodedAsStored(options) }
        }

        // MARK: Round trips

        /// The sizes of round trips: one pixel, odd sides, extreme aspects.
        package static let sizes = [(1, 1), (3, 7), (17, 16), (33, 65), (257, 1), (1, 300), (64, 64)].map {
            PixelSize(width: $0.0, height: $0.1)
        }

        /// Encodes images of all ``sizes`` and alpha modes, and decodes them again.
        ///
        /// - Parameter tolerance: the mean difference of samples that is allowed; 0 demands equal pixels.
        package func checkRoundTrips(
            _ options: any FormatOptions, meanTolerance: Double = 0,
            sourceLocation location: SourceLocation = #_sourceLocation
        ) throws {
            for (index, size) in Self.sizes.enumerated() {
                for alphaMode in [AlphaMode.opaque, .straight] {
                    if alphaMode == .straight, !codec.capabilities.hasAlpha { continue }
                    let image =
                        meanTolerance == 0
                        ? try PixelBuffer.random(
                            width: size.width, height: size.height, alphaMode: alphaMode, seed: UInt64(index))
                        : try Self.smoothImage(size, alphaMode)
                    let bytes = try options.encode(image, EncodingContext())
                    let decoded = try decoded(bytes, .warning).image
                    if meanTolerance == 0 {
                        expectPixelsEqual(decoded, image, "\(size) \(alphaMode)", sourceLocation: location)
                    } else {
                        #expect(decoded.size == size, sourceLocation: location)
                        let difference = meanDifference(decoded, image)
                        #expect(
                            difference <= meanTolerance, "\(size) \(alphaMode)", sourceLocation: location)
                    }
                    var context = EncodingContext()
                    context.parallelism = 3
                    #expect(try options.encode(image, context) == bytes, "threads", sourceLocation: location)
                }
            }
        }

        /// An image that a lossy encoder keeps well: gradients, and alpha that falls from left to right.
        package static func smoothImage(_ size: PixelSize, _ alphaMode: AlphaMode) throws -> PixelBuffer {
            try PixelBuffer.make(width: size.width, height: size.height, alphaMode: alphaMode) { x, y in
                let (red, green) = (UInt32(x * 200 / max(size.width, 100)), UInt32(y * 200 / max(size.height, 100)))
                let alpha = alphaMode == .opaque ? 255 : UInt32(255 - x * 100 / max(size.width, 100))
                return alpha << 24 | (red + 20) << 16 | (green + 20) << 8 | 120
            }
        }

        /// Writes metadata of each kind that the format stores, reads them, and rewrites the file under each policy:
        /// the pixels stay, and what the policy drops is gone.
        ///
        package func checkMetadata(
            _ options: any FormatOptions, sourceLocation location: SourceLocation = #_sourceLocation
        ) throws {
            let stored = codec.capabilities.metadata
            let exif = TestEXIF.block(orientation: .identity)
            let description =
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
                + "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreatorTool='Texel'/></rdf:RDF>"
            let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(description)</x:xmpmeta>".utf8)
            let image = try Self.smoothImage(PixelSize(width: 40, height: 30), .opaque)
            let perMetre = Rational(5906)
            let density = PixelDensity(horizontal: perMetre, vertical: perMetre, unit: .perMetre)
            let context = EncodingContext(metadata: WrittenMetadata(exif: exif, xmp: xmp, density: density))
            let bytes = try options.encode(image, context)
            let pixels = try decoded(bytes, .warning).image
            let read = try source(bytes).info.metadata
            #expect((read.exif?.hasGPS == true) == stored.contains(.exif), sourceLocation: location)
            #expect((read.xmp != nil) == stored.contains(.xmp), sourceLocation: location)
            #expect((read.density != nil) == stored.contains(.density), sourceLocation: location)
            for policy in MetadataPolicy.allCases {
                let written = read.kept(
                    under: policy, orientation: Orientation.identity, size: image.size, keepsThumbnail: true)
                let copy = try source(bytes).rewritten(metadata: written, keeping: [.color], stop: nil)
                #expect(try decoded(copy, .warning).image == pixels, "\(policy)", sourceLocation: location)
                let kept = try source(copy).info.metadata
                #expect(
                    (kept.exif?.hasGPS == true) == (policy == .all && stored.contains(.exif)), "\(policy)",
                    sourceLocation: location)
                #expect(
                    (kept.xmp != nil) == (policy == .all && stored.contains(.xmp)), "\(policy)",
                    sourceLocation: location)
                if policy != .all {
                    // The latitude of TestEXIF, as it is stored.
                    #expect(
                        !copy.contains([0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 51, 0, 0, 0, 1]), "\(policy)",
                        sourceLocation: location)
                }
            }
        }

        // MARK: Dithering

        /// Dithers files of equal samples: their bytes are the two next to the sample, as many of each as give its
        /// mean, by the same pattern in all formats. Samples that are bytes exactly stay.
        ///
        /// - Parameter file: makes a file of these grey samples of 16 bits, with 64 × 48 pixels.
        package func checkDithering(
            sourceLocation location: SourceLocation = #_sourceLocation, _ file: ([UInt16]) throws -> [UInt8]
        ) throws {
            let size = PixelSize(width: 64, height: 48)
            var options = DecodeOptions()
            options.dithers = true
            for sample: UInt16 in [0, 1, 100, 0x8040, 0x8080, 0x80F0, 0xC3C3, 0xFFFE, 0xFFFF] {
                let source = try source(try file([UInt16](repeating: sample, count: size.width * size.height)))
                let image = try source.decodedAsStored(options).image
                let exact = Double(sample) / 257
                let bytes = image.pixels.map { Int($0 & 255) }
                let neighbours = [Int(exact.rounded(.down)), Int(exact.rounded(.up))]
                #expect(bytes.allSatisfy(neighbours.contains), "\(sample)", sourceLocation: location)
                let mean = Double(bytes.reduce(0, +)) / Double(bytes.count)
                #expect(abs(mean - exact) < 0.02, "\(sample)", sourceLocation: location)
                for (index, byte) in bytes.enumerated() {
                    let threshold = Dithering.threshold(x: index % size.width, y: index / size.width)
                    let expected = Dithering.byte(Int(sample), maximum: 65_535, threshold: threshold)
                    if byte != expected { #expect(byte == expected, "\(sample)", sourceLocation: location) }
                }
            }
        }
    }
#endif
