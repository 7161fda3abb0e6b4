import Foundation
import TestSupport
import Testing
import TexelPixels

@testable import TexelOperations

/// The identity of operations in the keys of cached results.
@Suite struct OperationKeyTests {
    private let operations: [PixelOperation] =
        StepTests.operations(PixelSize(width: 9, height: 7)) + [
            .brightness(1.2), .contrast(0.8), .levels(black: 5, white: 250), .threshold(100), .gamma(1.8), .sepia(0.5),
            .colorMatrix(.identity), .hue(degrees: 40), .greyscale(usesLinearLight: true),
        ]

    private func key(_ operation: PixelOperation) -> ContentDigest { ContentDigest(ofIdentityOf: operation) }

    @Test func everyEncodedPropertyChangesTheKey() throws {
        OperationRegistry.shared.register(InvertOperation.self)
        let otherImages = try ComposeSamples.images.map { image in
            PixelOperation.mask(try OverlayImage(.noise(image.size, alphaMode: image.pixels.alphaMode, seed: 32)))
        }
        var unchanged: Set<String> = []
        for operation in operations {
            let changes = try EncodedChanges(of: operation, others: operations + otherImages)
            for change in changes.changed { #expect(key(change.value) != key(operation), "\(change.path)") }
            #expect(Set(changes.changed.map { key($0.value) }).count == changes.changed.count)
            unchanged.formUnion(changes.unchanged)
        }
        // The sizes of images and tables change with their contents only; titles and warnings do not count.
        let alone = ["image.width", "image.height", "image.isOpaque", "table.shape", "table.size", "table.title"]
        #expect(unchanged.filter { path in !alone.contains { path.hasSuffix($0) } } == [])
    }

    /// The samples have all operations, and values in all optional parameters, so that the test above sees them.
    @Test func samplesAreComplete() {
        let names = Set(operations.map { type(of: $0.value).name })
        let known = OperationRegistry.shared.names
        // Other tests register operations of their own, which have the names of their types.
        #expect(known.subtracting(names).filter { !$0.contains(".") } == [])
        #expect(propertiesWithoutValue(operations) == [])
    }

    @Test func encodingKeepsOperationsAndKeys() throws {
        OperationRegistry.shared.register(InvertOperation.self)
        for operation in operations {
            let fromJSON = try JSONDecoder().decode(PixelOperation.self, from: JSONEncoder().encode(operation))
            let fromMessage = try MessageDecoder.decode(PixelOperation.self, from: MessageEncoder.encode(operation))
            #expect(fromJSON == operation && fromMessage == operation)
            #expect(key(fromJSON) == key(operation) && key(fromMessage) == key(operation))
        }
    }

    @Test func equalOperationsHaveEqualKeys() throws {
        #expect(key(.rotate(degrees: 0.0)) == key(.rotate(degrees: -0.0)))
        let image = try PixelBuffer.random(width: 4, height: 3, alphaMode: .straight)
        let logo = PixelOperation.overlay(OverlayOptions(try OverlayImage(image)))
        let warned = PixelOperation.overlay(OverlayOptions(try OverlayImage(image, warnings: ["damaged"])))
        #expect(logo == warned && key(logo) == key(warned))
        let plain = "LUT_1D_SIZE 2\n0 0 0\n1 1 1"
        let tables = [plain, "TITLE \"look\"\n" + plain, plain.replacing("0 0 0", with: "-0.0 0 0")]
        let keys = try tables.map { key(.lut(try ColorLUT(cubeText: $0))) }
        #expect(Set(keys).count == 1)
    }

    private struct Collecting: RowOperation {
        var names: Set<String> = []
        var numbers: [Set<Int>: Int] = [:]

        func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {}
    }

    /// The order of sets and dictionaries differs between processes, and between equal values.
    @Test func orderOfCollectionsDoesNotCount() throws {
        let names = (0..<200).map { "name \($0)" }
        let numbers = (0..<50).map { (Set(0...$0), $0) }
        var (one, two) = (Collecting(), Collecting())
        for name in names { one.names.insert(name) }
        two.names.reserveCapacity(5000)
        for name in names.reversed() { two.names.insert(name) }
        one.numbers = Dictionary(uniqueKeysWithValues: numbers)
        two.numbers.reserveCapacity(3000)
        for (key, value) in numbers.reversed() { two.numbers[key] = value }
        #expect(key(PixelOperation(one)) == key(PixelOperation(two)))
        #expect(try MessageDecoder.decode(Collecting.self, from: MessageEncoder.encode(one)) == one)
        two.names.remove("name 7")
        #expect(key(PixelOperation(one)) != key(PixelOperation(two)))
    }

    private struct Unwritable: RowOperation {
        func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {}
        func encode(to encoder: any Encoder) throws { throw MessageError() }
    }

    /// No result of another is taken for that of an operation that cannot be encoded.
    @Test func operationsThatCannotBeEncodedEqualNoOther() {
        #expect(key(PixelOperation(Unwritable())) != key(PixelOperation(Unwritable())))
    }
}
