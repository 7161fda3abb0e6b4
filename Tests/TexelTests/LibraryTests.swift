import Foundation
import TestSupport
import Testing
import Texel

/// The API that `import Texel` provides.
@Suite(.timeLimit(.minutes(30))) struct LibraryTests {
    private let directory: TemporaryDirectory
    private let photo: FilePath
    private let small: FilePath

    init() throws {
        directory = try TemporaryDirectory()
        photo = FilePath(directory("photo.jpg"))
        small = FilePath(directory("small.jpg"))
        let image = try PixelBuffer.smooth(PixelSize(width: 120, height: 80))
        try directory.add("photo.jpg", try image.encoded(as: .jpeg(JPEGOptions(quality: 98))))
    }

    @Test func compressingWritesSmallerFiles() async throws {
        let result = try await Texel.compress(photo, to: small)
        #expect(result.status == .written && result.outputBytes < result.inputBytes)
        #expect(result.size == PixelSize(width: 120, height: 80) && result.output == small)
        #expect(try directory.bytes("small.jpg").count == result.outputBytes)
        let smaller = try await Texel.compress(photo, to: FilePath(directory("smaller.jpg")), quality: 20)
        #expect(smaller.outputBytes < result.outputBytes)
    }

    @Test func resizingAndRotating() async throws {
        #expect(try await Texel.resize(photo, to: small, width: 60).size == PixelSize(width: 60, height: 40))
        let turned = try await Texel.rotate(photo, to: FilePath(directory("turned.png")), by: 90)
        #expect(turned.size == PixelSize(width: 80, height: 120) && turned.format == .png)
    }

    @Test func existingOutputsAreReplacedOnlyOnRequest() async throws {
        try directory.add("small.jpg", [1])
        await #expect(throws: TexelError.alreadyExists(small)) { try await Texel.compress(photo, to: small) }
        #expect(try directory.bytes("small.jpg") == [1])
        var options = ProcessingOptions()
        options.overwrites = true
        try await Texel.compress(photo, to: small, options: options)
        #expect(try directory.bytes("small.jpg").count > 1)
        // The input is not replaced even with `overwrites`.
        await #expect(throws: TexelError.isInput(photo)) {
            try await Texel.compress(photo, to: photo, options: options)
        }
    }

    @Test func missingInputsFailWithoutOutput() async throws {
        let missing = FilePath(directory("no.jpg"))
        await #expect(throws: TexelError.missingFile(missing)) { try await Texel.compress(missing, to: small) }
        #expect(try directory.files() == ["photo.jpg"])
    }

    @Test func bytesToBytes() async throws {
        let recipe = Recipe().resizing(width: 30).encoding(as: .png)
        let result = try await Texel.process(try directory.bytes("photo.jpg"), with: recipe)
        #expect(result.format == .png && result.size == PixelSize(width: 30, height: 20) && result.route == .streaming)
        #expect(try CodecRegistry.shared.open(InputBytes(result.bytes)).info.size == result.size)
        await #expect(throws: TexelError.empty) { try await Texel.process([], with: recipe) }
        await #expect(throws: TexelError.invalidSize(PixelSize(width: 0, height: 80))) {
            try await Texel.process(try directory.bytes("photo.jpg"), with: Recipe().resizing(width: 0))
        }
    }

    /// A type whose name Foundation also has would be ambiguous in this file.
    @Test func operationsBesideFoundation() {
        let operations: [PixelOperation] = [.crop(PixelRectangle(x: 0, y: 0, width: 9, height: 9)), .flip(.vertical)]
        let recipe = operations.reduce(Recipe()) { $0.appending($1) }
        #expect(recipe.operations == operations)
    }

    @Test func largeImagesAreRefused() async throws {
        var options = ProcessingOptions()
        options.policy.limits.pixels = 1000
        let expected = TexelError.limitExceeded(.pixels, value: 9600, allowed: 1000)
        await #expect(throws: expected) {
            try await Texel.process(try directory.bytes("photo.jpg"), with: Recipe(), options: options)
        }
        await #expect(throws: expected) { try await Texel.compress(photo, to: small, options: options) }
    }

    @Test func cancelledTasksWriteNothing() async throws {
        let (photo, small) = (photo, small)
        let bytes = try directory.bytes("photo.jpg")
        let file = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Texel.compress(photo, to: small)
        }
        await #expect(throws: TexelError.stopped(.cancelled)) { try await file.value }
        let memory = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await Texel.process(bytes, with: Recipe())
        }
        await #expect(throws: TexelError.stopped(.cancelled)) { try await memory.value }
        #expect(try directory.files() == ["photo.jpg"])
    }

    @Test func timeoutsEndProcessing() async throws {
        var options = ProcessingOptions()
        options.timeout = .zero
        await #expect(throws: TexelError.stopped(.timedOut)) {
            try await Texel.compress(photo, to: small, options: options)
        }
        await #expect(throws: TexelError.stopped(.timedOut)) {
            _ = try await Texel.process(try directory.bytes("photo.jpg"), with: Recipe(), options: options)
        }
    }

    @Test func pixelBuffersAreReadAndWritten() async throws {
        let image = try await PixelBuffer(contentsOf: photo)
        #expect(image.size == PixelSize(width: 120, height: 80))
        let copy = FilePath(directory("copy.png"))
        try await image.write(to: copy)
        expectPixelsEqual(try await PixelBuffer(contentsOf: copy), image)
        await #expect(throws: TexelError.alreadyExists(copy)) { try await image.write(to: copy) }
        try await image.write(to: copy, overwrites: true)
        await #expect(throws: TexelError.self) { try await image.write(to: FilePath(directory("copy.tga"))) }
    }

    /// Opaque pixels in buffers of every alpha mode.
    @Test(arguments: [AlphaMode.opaque, .straight, .premultiplied]) func roundTripThroughPNG(mode: AlphaMode)
        async throws
    {
        let pixels = (0..<600).map { UInt32($0 * 7919) | 0xFF00_0000 }
        let image = try PixelBuffer(width: 30, height: 20, pixels: pixels, alphaMode: mode)
        let path = FilePath(directory("\(mode).png"))
        try await image.write(to: path)
        #expect(try await PixelBuffer(contentsOf: path) == image)
    }

    /// A rotated image is decoded upright.
    @Test func uprightPixelBuffers() async throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 12, height: 8))
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.orientation, .short([6]), to: \.image)
        let path = try directory.add(
            "side.png", try image.encoded(as: .png(PNGOptions()), metadata: WrittenMetadata(exif: builder.block())))
        let upright = try image.oriented(.rotated90)
        expectPixelsEqual(try await PixelBuffer(contentsOf: FilePath(path)), upright)
        let bytes = try directory.bytes("side.png")
        expectPixelsEqual(try await PixelBuffer(decoding: bytes), upright)
        expectPixelsEqual(try await PixelBuffer(decoding: Data(bytes)), upright)
        expectPixelsEqual(try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image, image)
    }

    @Test func decodingBytesThatCannotBe() async throws {
        await #expect(throws: TexelError.empty) { try await PixelBuffer(decoding: []) }
        var limits = Limits()
        limits.pixels = 9599
        await #expect(throws: TexelError.limitExceeded(.pixels, value: 9600, allowed: 9599)) {
            try await PixelBuffer(decoding: try directory.bytes("photo.jpg"), policy: DecodePolicy(limits: limits))
        }
    }

    @Test func writingWithOptions() async throws {
        let image = try PixelBuffer(width: 30, height: 20, filledWith: 0x80FF_0000)
        for (name, encoding) in [
            ("a.png", ImageEncoding.png(PNGOptions(level: 0, filter: .unfiltered))),
            ("b.jpg", .jpeg(JPEGOptions(quality: 31))),
            ("no-extension", .png(PNGOptions())), ("c.unknown", .jpeg(JPEGOptions(subsampling: .yuv444))),
        ] {
            let path = FilePath(directory(name))
            var metadata = WrittenMetadata()
            metadata.comments = [TextComment(bytes: Array("red".utf8), encoding: .latin1)]
            try await image.write(to: path, as: encoding, metadata: metadata, background: .black)
            #expect(
                try directory.bytes(name) == image.encoded(as: encoding, metadata: metadata, background: .black),
                "\(name)")
            await #expect(throws: TexelError.alreadyExists(path)) {
                try await image.write(to: path, as: encoding)
            }
            try await image.write(to: path, as: encoding, overwrites: true)
            #expect(try directory.bytes(name) == image.encoded(as: encoding), "\(name)")
        }
        // An extension of another format.
        let files = try directory.files()
        for (name, encoding) in [("d.jpg", ImageEncoding.png(PNGOptions())), ("d.PNG", .jpeg(JPEGOptions()))] {
            let error = await #expect(throws: TexelError.self) {
                try await image.write(to: FilePath(directory(name)), as: encoding)
            }
            guard error?.kind == .cannotEncode else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try directory.files() == files)
    }
}
