import SystemPackage
public import TexelPixels

/// How the samples of an uncoded picture lie in memory or in a file.
public struct SampleLayout: Sendable, Hashable {
    public enum Format: Sendable, Hashable {
        case yuv(YUVFormat, YUVColor)
        /// Bytes B, G, R, A; alpha is straight.
        case bgra
        /// Bytes R, G, B, A; alpha is straight.
        case rgba
    }

    public var format: Format
    public var size: PixelSize

    public init(_ format: Format, _ size: PixelSize) {
        self.format = format
        self.size = size
    }

    /// The bytes of a picture.
    ///
    /// - Throws: `invalidSize` when a side is not positive or the bytes overflow.
    public var byteCount: Int {
        get throws(PixelBufferError) {
            switch format {
            case .yuv(let format, _): return try format.byteCount(of: size)
            case .bgra, .rgba:
                guard size.isPositive, let pixels = size.pixelCount, pixels < Int.max / 16 else {
                    throw .invalidSize(size)
                }
                return pixels * PixelBuffer.bytesPerPixel
            }
        }
    }
}

/// A file of samples, open for several threads that read at places of their own; closed with its last holder.
public final class SampleFile: Sendable {
    let descriptor: FileDescriptor

    /// Takes over an open descriptor of a regular file.
    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    /// Fills `bytes` from this place of the file on.
    ///
    /// - Throws: `truncated` where the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int, frame: Int) throws(FrameError) {
        var done = 0
        while done < bytes.count {
            let count: Int
            do {
                count = try descriptor.read(
                    fromAbsoluteOffset: Int64(offset + done),
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]))
            } catch {
                throw .cannotRead(error as? Errno ?? .ioError)
            }
            guard count > 0 else { throw .truncated(frame: frame, bytesRead: done, bytes: bytes.count) }
            done += count
        }
    }
}

extension SampleLayout {
    /// Of the pixels that the samples become.
    var alphaMode: AlphaMode {
        switch format {
        case .yuv: .opaque
        case .bgra, .rgba: .straight
        }
    }
}
