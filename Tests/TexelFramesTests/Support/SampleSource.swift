import TestSupport
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelFrames

/// Yields images of samples in memory.
final class SampleSource: FrameSource {
    struct Image {
        var layout: SampleLayout
        var bytes: [UInt8]
        var milliseconds = 0
        var duration: Int?
        var fields: FieldOrder?
    }

    let format: FrameFormat
    private let images: [Image]
    private let failure: TexelError?
    private let asked = Monitor(0)

    /// - Parameter failure: The error after the last image.
    init(_ images: [Image], rate: FrameRate? = nil, fields: FieldOrder? = nil, failure: TexelError? = nil) {
        self.images = images
        self.failure = failure
        format = FrameFormat(
            size: images.first?.layout.size ?? PixelSize(width: 1, height: 1), rate: rate, fields: fields)
    }

    /// How often a frame was requested.
    var askedCount: Int { asked.withLock { $0 } }

    func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        let index = asked.update { count in
            defer { count += 1 }
            return count
        }
        if stop.isStopped { return nil }
        guard index < images.count else {
            if let failure { throw failure }
            return nil
        }
        let image = images[index]
        var frame = SourceFrame(
            try .samples(image.bytes, image.layout), time: .milliseconds(image.milliseconds),
            duration: image.duration.map { .milliseconds($0) }, index: index)
        frame.fields = image.fields
        return frame
    }
}

extension FrameContent {
    /// A copy of samples, in a buffer of its own.
    static func samples(_ bytes: [UInt8], _ layout: SampleLayout) throws(TexelError) -> FrameContent {
        guard var lease = try FramePool(capacity: 1).leaseIfFree(byteCount: bytes.count) else {
            throw .outOfMemory(byteCount: bytes.count)
        }
        lease.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        return .samples(lease, layout)
    }
}

extension SampleImage {
    /// All samples, read in bands as renderers do.
    func bytes() throws -> [UInt8] {
        let reader = try PlaneReader(layout)
        return try layout.planes.enumerated().flatMap { index, plane -> [UInt8] in
            try stride(from: 0, to: plane.rowCount, by: 16).flatMap { top -> [UInt8] in
                let count = min(16, plane.rowCount - top)
                let rows = try reader.rows(top..<(top + count), ofPlane: index, of: origin, frame: 0)
                return (0..<count).flatMap { row in
                    UnsafeRawBufferPointer(start: rows.base + row * rows.bytesPerRow, count: plane.bytesPerRow)
                }
            }
        }
    }
}

extension FrameSource {
    /// Renders all frames.
    func rendered(_ recipe: Recipe = Recipe(), threadGroup: BandThreadGroup? = nil) throws -> [PixelBuffer] {
        let renderer = FrameRenderer(recipe, policy: DecodePolicy(), threadGroup: threadGroup)
        let pool = FramePool(capacity: 1)
        let stop = StopToken()
        var images: [PixelBuffer] = []
        while let frame = try next(stop) {
            guard let lease = try pool.lease(byteCount: 1, stop) else { break }
            images.append(try renderer.render(frame, arrival: .zero, into: lease).pixelBuffer())
        }
        return images
    }
}
