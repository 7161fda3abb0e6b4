import SystemPackage
public import TexelPixels

/// The arrangement of uncompressed samples in memory or in a file.
public struct SampleLayout: Sendable, Hashable {
    /// The order and meaning of the samples.
    public enum Format: Sendable, Hashable {
        /// Planar or semi-planar YUV, or grey, with or without a plane of straight alpha.
        case yuv(YUVFormat, YUVColor)
        /// Bytes B, G, R, A with straight alpha.
        case bgra
        /// Bytes R, G, B, A with straight alpha.
        case rgba
    }

    /// The order and meaning of the samples.
    public var format: Format
    /// The size in pixels.
    public var size: PixelSize

    /// Creates a layout.
    public init(_ format: Format, _ size: PixelSize) {
        self.format = format
        self.size = size
    }

    /// The number of bytes of one image.
    ///
    /// - Throws: `invalidSize` if a side is not positive or the number of bytes overflows.
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

extension SampleLayout {
    /// A plane of an image, in bytes.
    struct Plane {
        var offset: Int
        var bytesPerRow: Int
        var rowCount: Int
    }

    /// The planes, one after another without padding. The size must be one that ``byteCount`` accepts.
    var planes: [Plane] {
        switch format {
        case .yuv(let format, _):
            (0..<format.planeCount).map { plane in
                Plane(
                    offset: format.planeOffset(plane, of: size), bytesPerRow: format.bytesPerRow(plane, of: size),
                    rowCount: format.planeSize(plane, of: size).height)
            }
        case .bgra, .rgba:
            [Plane(offset: 0, bytesPerRow: size.width * PixelBuffer.bytesPerPixel, rowCount: size.height)]
        }
    }
}

/// A file of samples that several threads read at independent offsets; closed when the last reference is released.
public final class SampleFile: Sendable {
    let descriptor: FileDescriptor

    /// Takes ownership of an open descriptor of a regular file.
    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    /// Fills `bytes` from `offset` on.
    ///
    /// - Throws: `truncated` if the file ends before; `cannotRead`.
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
    /// The alpha mode of the pixels after conversion.
    var alphaMode: AlphaMode {
        switch format {
        case .yuv(let format, _): format.hasAlpha ? .straight : .opaque
        case .bgra, .rgba: .straight
        }
    }
}
