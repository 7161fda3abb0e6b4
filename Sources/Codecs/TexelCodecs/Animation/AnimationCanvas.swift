package import TexelCore
import TexelPixels

/// Composes the frames of an animation (PNG specification, third edition, 11.3.6.2; other formats have a subset).
///
/// Unchecked because of the memory: its owner calls it from one thread at a time.
package final class AnimationCanvas: @unchecked Sendable {
    private let animation: any ImageAnimation
    private let size: PixelSize
    /// BGRA with straight alpha, without padding between rows.
    private let memory: LargeMemory
    /// The content of a frame's area before the frame, for `Disposal.previous`.
    private let saved: LargeMemory?
    /// Rows of a frame that is composed over others.
    private let band: LargeMemory
    private static let bandHeight = 32
    private var coverage: CanvasCoverage
    /// Whether every pixel of the canvas is opaque after the last drawn frame, as far as its frames' areas and alpha
    /// modes tell.
    package var isOpaque: Bool { coverage.isComplete }
    /// The results of the drawn frames' decoders: the first warning, and whether any frame is damaged.
    package private(set) var notes = DecoderResult()
    /// The frame on the canvas that must be disposed of before the next is drawn.
    private var shown: Int?

    private var bytesPerRow: Int { size.width * PixelBuffer.bytesPerPixel }

    /// Allocates the canvas; drawing frame 0 clears it.
    ///
    /// - Throws: `outOfMemory`.
    package init(_ animation: any ImageAnimation) throws(TexelError) {
        self.animation = animation
        size = animation.canvas
        let (byteCount, isTooLarge) = (size.pixelCount ?? .max).multipliedReportingOverflow(
            by: PixelBuffer.bytesPerPixel)
        let savedCount = animation.frames.filter { $0.disposal == .previous }.map(\.area.byteCount).max()
        let bandCount = size.width * PixelBuffer.bytesPerPixel * Self.bandHeight
        guard !isTooLarge, let memory = LargeMemory(byteCount: byteCount), let band = LargeMemory(byteCount: bandCount)
        else { throw .outOfMemory }
        self.memory = memory
        self.band = band
        if let savedCount {
            guard let saved = LargeMemory(byteCount: savedCount) else { throw .outOfMemory }
            self.saved = saved
        } else {
            saved = nil
        }
        coverage = CanvasCoverage(size)
    }

    /// Draws a frame over those before it. Frames must be drawn in order; frame 0 clears the canvas first.
    package func draw(_ index: Int, _ options: DecodeOptions) throws(TexelError) {
        let frame = animation.frames[index]
        if index == 0 {
            clear(PixelRectangle(covering: size))
            coverage = CanvasCoverage(size)
        } else if let shown {
            dispose(of: animation.frames[shown])
        }
        shown = nil
        if frame.disposal == .previous { save(frame.area) }
        let decoder = try animation.decoder(of: index, options)
        coverage.draw(frame, isOpaque: decoder.alphaMode == .opaque)
        let blends = frame.blending == .over && decoder.alphaMode != .opaque
        for top in stride(from: 0, to: frame.area.height, by: Self.bandHeight) {
            let count = min(Self.bandHeight, frame.area.height - top)
            // A frame's area is inside the canvas, and `band` has room for rows as wide as the canvas.
            let destination = row(frame.area.y + top, frame.area.x)
            if blends {
                let rowBytes = frame.area.width * PixelBuffer.bytesPerPixel
                try decoder.readRows(count, into: band.base, bytesPerRow: rowBytes)
                for y in 0..<count {
                    Self.blend(
                        (band.base + y * rowBytes).assumingMemoryBound(to: UInt8.self),
                        over: (destination + y * bytesPerRow).assumingMemoryBound(to: UInt8.self),
                        count: frame.area.width)
                }
            } else {
                try decoder.readRows(count, into: destination, bytesPerRow: bytesPerRow)
            }
        }
        let found = try decoder.finish()
        if notes.warnings.isEmpty { notes.warnings = found.warnings }
        if found.hasDamagedPixels { notes.hasDamagedPixels = true }
        shown = index
    }

    /// The state of a canvas after a frame. The frames after it can be drawn again from there.
    package struct Snapshot {
        fileprivate let memory: LargeMemory
        fileprivate let saved: LargeMemory?
        fileprivate let coverage: CanvasCoverage
        fileprivate let shown: Int?
    }

    /// Copies the canvas.
    ///
    /// - Throws: `outOfMemory`.
    package func snapshot() throws(TexelError) -> Snapshot {
        Snapshot(
            memory: try Self.copy(of: memory, byteCount: size.height * bytesPerRow),
            saved: try saved.map { (saved) throws(TexelError) in try Self.copy(of: saved, byteCount: saved.byteCount) },
            coverage: coverage, shown: shown)
    }

    /// Makes the canvas what it was when the snapshot was taken.
    package func restore(_ snapshot: Snapshot) {
        memory.base.copyMemory(from: snapshot.memory.base, byteCount: size.height * bytesPerRow)
        if let saved, let copy = snapshot.saved { saved.base.copyMemory(from: copy.base, byteCount: saved.byteCount) }
        (coverage, shown) = (snapshot.coverage, snapshot.shown)
    }

    private static func copy(of memory: LargeMemory, byteCount: Int) throws(TexelError) -> LargeMemory {
        guard let copy = LargeMemory(byteCount: byteCount) else { throw .outOfMemory }
        copy.base.copyMemory(from: memory.base, byteCount: byteCount)
        return copy
    }

    /// Copies `rows` of the canvas to memory of the caller.
    package func copy(_ rows: Range<Int>, into target: UnsafeMutableRawPointer, bytesPerRow targetBytesPerRow: Int) {
        for y in rows {
            (target + (y - rows.lowerBound) * targetBytesPerRow).copyMemory(from: row(y, 0), byteCount: bytesPerRow)
        }
    }

    private func row(_ y: Int, _ x: Int) -> UnsafeMutableRawPointer {
        memory.base + y * bytesPerRow + x * PixelBuffer.bytesPerPixel
    }

    private func dispose(of frame: AnimationFrame) {
        switch frame.disposal {
        case .none: break
        case .background: clear(frame.area)
        case .previous: restore(frame.area)
        }
    }

    private func clear(_ area: PixelRectangle) {
        for y in 0..<area.height {
            row(area.y + y, area.x).initializeMemory(
                as: UInt8.self, repeating: 0, count: area.width * PixelBuffer.bytesPerPixel)
        }
    }

    private func save(_ area: PixelRectangle) {
        guard let saved else { return }
        let rowBytes = area.width * PixelBuffer.bytesPerPixel
        for y in 0..<area.height {
            (saved.base + y * rowBytes).copyMemory(from: row(area.y + y, area.x), byteCount: rowBytes)
        }
    }

    private func restore(_ area: PixelRectangle) {
        guard let saved else { return }
        let rowBytes = area.width * PixelBuffer.bytesPerPixel
        for y in 0..<area.height {
            row(area.y + y, area.x).copyMemory(from: saved.base + y * rowBytes, byteCount: rowBytes)
        }
    }

    /// Composes straight pixels over straight pixels: alpha is a + b × (1 − a), and a colour is the mean of both,
    /// weighted by their contributions to alpha; rounded to nearest (PNG specification, 13.16).
    private static func blend(_ above: UnsafePointer<UInt8>, over below: UnsafeMutablePointer<UInt8>, count: Int) {
        for x in 0..<count {
            let (from, to) = (above + 4 * x, below + 4 * x)
            let alpha = UInt32(from[3])
            if alpha == 0 { continue }
            if alpha == 255 {
                UnsafeMutableRawPointer(to).copyMemory(from: from, byteCount: PixelBuffer.bytesPerPixel)
                continue
            }
            let upper = alpha * 255
            let lower = (255 - alpha) * UInt32(to[3])
            let sum = upper + lower
            for channel in 0..<3 {
                to[channel] = UInt8((UInt32(from[channel]) * upper + UInt32(to[channel]) * lower + sum / 2) / sum)
            }
            to[3] = UInt8((sum + 127) / 255)
        }
    }
}

extension PixelRectangle {
    /// The size of the area's pixels in bytes. Cannot overflow, because the area is inside the canvas.
    fileprivate var byteCount: Int { width * height * PixelBuffer.bytesPerPixel }
}
