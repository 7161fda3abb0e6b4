import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import TexelCore

import TexelCodecs
import TexelPixels
@testable import TexelFrames

/// A frame of a source with its bytes, from memory or from a file.
struct ReadFrame: Equatable {
    var time: Duration
    var duration: Duration?
    var index: Int
    var fields: FieldOrder?
    var layout: SampleLayout?
    /// How the image is displayed.
    var orientation = Orientation.identity
    var bytes: [UInt8]

    init?(_ frame: consuming SourceFrame) throws {
        (time, duration, index, fields) = (frame.time, frame.duration, frame.index, frame.fields)
        switch frame.takeContent() {
        case .samples(let samples):
            let count = try samples.layout.byteCount
            layout = samples.layout
            bytes = samples.lease.withUnsafeBytes { Array($0[..<count]) }
        case .fileSamples(let file, let offset, let layout):
            self.layout = layout
            var bytes = [UInt8](repeating: 0, count: try layout.byteCount)
            let index = index
            try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: offset, frame: index) }
            self.bytes = bytes
        case .planes(let planes):
            layout = planes.layout
            orientation = planes.orientation
            bytes = zip(planes.layout.planes, planes.planes).flatMap { plane, rows in
                (0..<plane.rowCount).flatMap { row in
                    UnsafeRawBufferPointer(start: rows.base + row * rows.bytesPerRow, count: plane.bytesPerRow)
                }
            }
            // The planes are valid as long as the object.
            withExtendedLifetime(planes) {}
        case .encoded(let encoded):
            bytes = encoded.lease.withUnsafeBytes { Array($0[..<encoded.count]) }
        default:
            return nil
        }
    }
}

extension FrameSource {
    /// Reads the rest of the stream; returns its frames and the error that ended it.
    func frames(_ stop: StopToken = StopToken()) -> (frames: [ReadFrame], error: TexelError?) {
        var frames: [ReadFrame] = []
        do {
            while let frame = try next(stop) {
                if let read = try ReadFrame(frame) { frames.append(read) }
            }
            return (frames, nil)
        } catch {
            return (frames, error as? TexelError)
        }
    }
}

/// The error that `body` throws.
func failure(_ body: () throws(TexelError) -> Void) -> TexelError? {
    do throws(TexelError) {
        try body()
        return nil
    } catch {
        return error
    }
}

/// A pipe into which a thread writes bytes in parts of random sizes.
final class FedPipe: Sendable {
    let input: StreamInput
    private let reading: FileDescriptor
    private let finished = Monitor(false)

    /// Starts the thread.
    ///
    /// - Parameter keepsOpen: Whether the pipe stays open after the last byte, until this object is released.
    init(_ bytes: [UInt8], seed: UInt64 = 1, keepsOpen: Bool = false) throws {
        // The reader may close early.
        BrokenPipes.areErrors()
        let (reading, writing) = try FileDescriptor.privatePipe()
        self.reading = reading
        input = .descriptor(reading)
        let finished = finished
        Thread.detachNewThread {
            var random = SeededGenerator(seed: seed)
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...70_000, using: &random))
                guard (try? writing.writeAll(part)) != nil else { break }
                rest = rest.dropFirst(part.count)
            }
            if keepsOpen { _ = finished.wait { $0 ? true : nil } }
            try? writing.close()
        }
    }

    deinit {
        finished.update { $0 = true }
        try? reading.close()
    }
}

/// Random bytes, which differ by position and seed.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return .random(count: count, using: &random)
}
