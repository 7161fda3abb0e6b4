import Foundation
import TestSupport
import Testing
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
                var (writer, second) = (FieldWriter(), FieldWriter())
                writer.append(operation)
                second.append(another)
                #expect((writer.bytes == second.bytes) == (index == other))
            }
            #expect(Set(operations).contains(operation))
        }
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let size = PixelSize(width: 4, height: 4)
        let outside = PixelRectangle(x: 2, y: 0, width: 3, height: 3)
        #expect(throws: PixelBufferError.rectangleOutOfBounds(outside, size)) {
            try CropOperation(outside).steps(for: size, background: .white)
        }
        #expect(throws: PixelBufferError.self) {
            try RotateOperation(degrees: .infinity, filter: .box).steps(for: size, background: .white)
        }
    }

    @Test func whatChangesNothingHasNoSteps() throws {
        let size = PixelSize(width: 4, height: 6)
        for operation: PixelOperation in [
            .crop(PixelRectangle(covering: size)), .rotate(degrees: 720), .turn(Attitude()),
            .resize(ResizeOptions(ResizeRule(.box(width: 4, height: 6, fit: .cover)))),
        ] {
            #expect(try operation.value.steps(for: size, background: .white).isEmpty)
        }
    }
}
