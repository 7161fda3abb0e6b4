import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TexelFlutter

/// Files made by the tests.
enum Input {
    /// Encodes a file that displays as `image`, stored with an orientation.
    static func file(
        displaying image: PixelBuffer, _ format: ImageFormat = .png, orientation: Orientation = .identity,
        quality: Int = 90
    ) throws -> [UInt8] {
        let encoding: ImageEncoding =
            format == .png ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions(quality: quality))
        return try image.oriented(orientation.inverse)
            .encoded(as: encoding, metadata: WrittenMetadata(exif: TestEXIF.block(orientation: orientation)))
    }

    /// A progressive grey JPEG, whose coefficients take two bytes per pixel.
    static func grayProgressive(_ side: Int) throws -> [UInt8] {
        let image = try PixelBuffer.drawn(PixelSize(width: side, height: side)) { x, y in
            0xFF00_0000 | UInt32((x + y) & 255) * 0x01_0101
        }
        return try image.encoded(as: .jpeg(JPEGOptions(isProgressive: true)))
    }
}

extension PixelSize {
    /// The smallest integer box around an image rotated by `degrees`.
    func box(turnedBy degrees: Double) -> PixelSize {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (abs(sin(angle)), abs(cos(angle)))
        let (w, h) = (Double(width), Double(height))
        return PixelSize(
            width: Int((w * cosine + h * sine - 1e-9).rounded(.up)),
            height: Int((w * sine + h * cosine - 1e-9).rounded(.up)))
    }
}

extension [UInt8] {
    var info: ImageInfo { get throws { try CodecRegistry.shared.open(InputBytes(self)).info } }
    /// The pixels as stored.
    var image: PixelBuffer { get throws { try CodecRegistry.shared.open(InputBytes(self)).decodedAsStored().image } }
}

/// Records events from any task.
final class Record<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// A task that is cancelled before it starts.
func cancelled<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
    Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await body()
    }
}
