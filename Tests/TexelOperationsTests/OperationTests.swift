import Foundation
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelOperations

/// Operations as values: written, read, compared.
@Suite struct OperationTests {
    private let operations = StepTests.operations(PixelSize(width: 9, height: 7))

    @Test func comeBackFromJSON() throws {
        OperationRegistry.shared.register(InvertOperation.self)
        let bytes = try JSONEncoder().encode(operations)
        #expect(try JSONDecoder().decode([PixelOperation].self, from: bytes) == operations)
    }

    @Test(arguments: ["{}", #"{"swirl": {}}"#, #"{"crop": {}}"#, #"{"invert": {}, "flip": {"axis": "vertical"}}"#])
    func otherTextIsRefused(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PixelOperation.self, from: Data(text.utf8))
        }
    }

    @Test func differentOperationsDiffer() {
        for (index, operation) in operations.enumerated() {
            for (other, another) in operations.enumerated() {
                #expect((operation == another) == (index == other))
                let keys = [operation, another].map { ContentDigest(ofIdentityOf: $0) }
                #expect((keys[0] == keys[1]) == (index == other))
            }
            #expect(Set(operations).contains(operation))
        }
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let size = PixelSize(width: 4, height: 4)
        let outside = PixelRectangle(x: 2, y: 0, width: 3, height: 3)
        #expect(throws: TexelError.rectangleOutOfBounds(outside, size)) {
            try CropOperation(outside).steps(for: size, background: .white)
        }
        #expect(throws: TexelError.self) {
            try RotateOperation(degrees: .infinity, filter: .box).steps(for: size, background: .white)
        }
    }

    @Test(
        arguments: [
            (.blur(sigma: -1), "sigma cannot be -1.0; it must be from 0 to 1000"),
            (.blur(sigma: .nan), "sigma cannot be nan; it must be from 0 to 1000"),
            (.blur(sigma: 1000.5), "sigma cannot be 1000.5; it must be from 0 to 1000"),
            (.boxBlur(radius: -1), "radius cannot be -1; it must be from 0 to 1000"),
            (.boxBlur(radius: 1001), "radius cannot be 1001; it must be from 0 to 1000"),
            (.sharpen(amount: 10.1), "amount cannot be 10.1; it must be from 0 to 10"),
            (.sharpen(amount: .nan), "amount cannot be nan; it must be from 0 to 10"),
            (.sharpen(amount: 1, radius: .infinity), "radius cannot be inf; it must be from 0 to 1000"),
            (.sharpen(amount: 1, threshold: 256), "threshold cannot be 256; it must be from 0 to 255"),
            (.median(size: 4), "size cannot be 4; it must be 1, 3, 5, 7 or 9"),
            (.median(size: 11), "size cannot be 11; it must be 1, 3, 5, 7 or 9"),
        ] as [(PixelOperation, String)])
    func parametersWithoutMeaningAreRefused(operation: PixelOperation, message: String) throws {
        let error = try #require(throws: TexelError.self) {
            try operation.value.steps(for: PixelSize(width: 4, height: 4), background: .white)
        }
        #expect(error.description == message)
    }

    @Test func whatChangesNothingHasNoSteps() throws {
        let size = PixelSize(width: 4, height: 6)
        for operation: PixelOperation in [
            .crop(PixelRectangle(covering: size)), .rotate(degrees: 720), .turn(Rotation3D()),
            .resize(ResizeOptions(ResizeRule(.box(width: 4, height: 6, fit: .cover)))),
            .blur(sigma: 0), .blur(sigma: 0.1), .boxBlur(radius: 0), .sharpen(amount: 0),
            .sharpen(amount: 1, radius: 0),
            .median(size: 1),
        ] {
            #expect(try operation.value.steps(for: size, background: .white).isEmpty)
        }
    }
}
