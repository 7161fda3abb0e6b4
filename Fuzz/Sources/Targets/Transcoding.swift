import TexelCore
import TexelPixels

import TexelFormats
import TexelOperations
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG
@testable import TexelPipeline

extension FuzzTarget {
    /// Rewrites files with other metadata and compares the pixels.
    static let rewriting = FuzzTarget("rewriting", maximumLength: 1 << 15) { bytes, choices in
        let policy = choices.one(of: MetadataPolicy.allCases)
        let keepsColor = choices.isSet()
        let bytes = choices.isSet() ? withRightChecksums(bytes) : bytes
        var options = DecodeOptions()
        options.policy.limits = .fuzzing
        guard let source = try? CodecRegistry.shared.open(InputBytes(bytes), limits: .fuzzing) else { return }
        let info = source.info
        let metadata = info.metadata.kept(
            under: policy, orientation: info.orientation, size: info.size, keepsThumbnail: choices.isSet())
        guard
            let result = try? source.rewritten(metadata: metadata, keeping: keepsColor ? [.color] : [], stop: nil)
        else {
            return expect(false, "what is there as a whole can be rewritten")
        }
        guard let image = try? source.decodedAsStored(options).image else { return }
        // The copy's metadata are written by Texel and may be slightly longer.
        options.policy.limits.metadataBytes *= 2
        do throws(TexelError) {
            let copy = try CodecRegistry.shared.open(InputBytes(result), limits: options.policy.limits)
            expect(copy.info.size == info.size, "the size stays")
            expect(copy.info.orientation == info.orientation, "the pixels lie as they lay")
            expect(policy == .all || !(copy.info.metadata.exif?.hasGPS ?? false), "the place goes")
            let decoded = try copy.decodedAsStored(options).image
            expect(decoded.checksum == image.checksum, "the pixels stay")
            expect(!keepsColor || decoded.colorSpace == image.colorSpace, "the colours stay")
        } catch {
            expect(false, "what was rewritten can be read: \(error)")
        }
    }

    /// Turns and crops JPEGs without decoding their coefficients to pixels.
    static let moving = FuzzTarget("moving", maximumLength: 1 << 15) { bytes, choices in
        var options = DecodeOptions()
        options.policy.limits = .fuzzing
        guard let source = try? CodecRegistry.shared.open(InputBytes(bytes), limits: .fuzzing),
            let grid = source.info.coefficientLayout?.grid
        else { return }
        let size = source.info.size
        let orientation = choices.one(of: Orientation.allCases)
        var area = PixelRectangle(covering: size)
        if choices.isSet() {
            area.x = grid.width * choices.index(below: size.width / grid.width)
            area.y = grid.height * choices.index(below: size.height / grid.height)
            area.size = PixelSize(
                width: 1 + choices.index(below: size.width - area.x),
                height: 1 + choices.index(below: size.height - area.y))
        }
        let move = CoefficientMove(area, orientation)
        guard area.isInside(size), move.unalignedEdge(on: grid) == nil else { return }
        let settings = EncodingSettings(
            isProgressive: choices.one(of: [nil, true, false]), effort: choices.one(of: [.fast, .balanced, .best]))
        do throws(TexelError) {
            let result = try source.moved(
                move, settings: settings, metadata: WrittenMetadata(), keeping: [.color], options: options)
            // A JPEG that libjpeg cannot decode may still have readable coefficients.
            guard let result, let original = try? source.decodedAsStored(options).image else { return }
            options.policy.limits.metadataBytes *= 2
            let copy = try CodecRegistry.shared.open(InputBytes(result.bytes), limits: options.policy.limits)
            expect(copy.info.size == move.size, "the result has the size of the move")
            let image = try copy.decodedAsStored(options).image
            image.expectSound()
            // libjpeg smooths an incomplete progressive file; the result is complete, so its pixels differ.
            guard result.warnings.isEmpty, orientation == .identity, area.size == size, !source.info.isProgressive
            else { return }
            expect(image.checksum == original.checksum, "coefficients that stay are pixels that stay")
        } catch {
            guard case .limitExceeded = error.kind else { return expect(false, "what was moved can be read: \(error)") }
        }
    }

    /// Runs whole recipes by any route.
    static let processing = FuzzTarget("processing", maximumLength: 1 << 14) { bytes, choices in
        guard let source = try? CodecRegistry.shared.open(InputBytes(bytes), limits: .fuzzing),
            (source.info.size.pixelCount ?? .max) <= 1 << 12
        else { return }
        let recipe = Recipe(&choices)
        do {
            let plan = try Planner.plan(
                recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format))
            guard (plan.outputSize.pixelCount ?? .max) <= 1 << 13 else { return }
            let result = try plan.file(RouteContext(source, policy: DecodePolicy(limits: .fuzzing)))
            // Rarely: for such small images, starting threads takes longer than encoding.
            if choices.index(below: 8) == 7 {
                let shared = try? plan.file(
                    RouteContext(source, policy: DecodePolicy(limits: .fuzzing), parallelism: { 3 }))
                expect(shared?.bytes == result.bytes, "threads change nothing")
            }
            var limits = Limits.fuzzing
            limits.metadataBytes *= 2
            let info = try CodecRegistry.shared.open(InputBytes(result.bytes), limits: limits).info
            expect(
                info.size == result.size && info.format == result.format,
                "a result is what it says: \(info.size) \(info.format), not \(result.size) \(result.format) by \(plan)")
            var options = DecodeOptions()
            options.policy.limits = limits
            try CodecRegistry.shared.open(InputBytes(result.bytes), limits: limits).decodedAsStored(options).image
                .expectSound()
        } catch let error as TexelError {
            expect(false, "a result can be read: \(error)")
        } catch {
            expectSentence(error)
        }
    }
}

extension Recipe {
    /// Makes a recipe of at most two operations and any output options.
    init(_ choices: inout FuzzChoices) {
        self.init()
        appliesOrientation = choices.isSet()
        output.format = choices.one(of: [nil, .jpeg, .png])
        output.metadata = choices.one(of: MetadataPolicy.allCases)
        output.effort = choices.one(of: [.fast, .fast, .balanced])
        output.quality = choices.one(of: [nil, 1, 50, 100])
        output.compresses = choices.isSet()
        if choices.index(below: 4) == 0 { output.palette = PaletteOptions(colors: 16, quality: nil) }
        for _ in 0..<choices.index(below: 3) { operations.append(PixelOperation(&choices)) }
    }
}

extension PixelOperation {
    fileprivate init(_ choices: inout FuzzChoices) {
        let side = [nil, 1, 7, 33, 200][choices.index(below: 5)]
        let filter = choices.one(of: ResamplingFilter.allCases)
        switch choices.index(below: 6) {
        case 0: self = .crop(PixelRectangle(x: choices.index(below: 9), y: 0, width: side ?? 8, height: 8))
        case 1:
            let rule = ResizeRule(.box(width: side, height: 20, fit: choices.one(of: Fit.allCases)))
            self = .resize(ResizeOptions(rule, filter: filter, usesLinearLight: choices.isSet()))
        case 2: self = .flip(choices.one(of: FlipAxis.allCases))
        case 3: self = .rotate(degrees: choices.one(of: [90, 180, 0.5, -33.3, 1e9]), filter: filter)
        case 4: self = .turn(Rotation3D(yaw: Double(choices.index(below: 90)), pitch: 5, roll: -3), filter: filter)
        default: self = .flatten(.white)
        }
    }
}
