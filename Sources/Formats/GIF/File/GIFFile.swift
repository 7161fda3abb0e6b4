import TexelCodecs
import TexelCore
import TexelPixels

/// The structure of a GIF (GIF89a specification): a canvas, images with their delays and disposals, and extensions.
struct GIFFile: Sendable {
    /// An image descriptor with its graphic control extension and the position of its data.
    struct Image: Sendable {
        /// The position on the canvas. The right and the bottom may be outside of the canvas.
        var area: PixelRectangle
        /// The part on the canvas; `nil` if there is none.
        var visibleArea: PixelRectangle?
        var isInterlaced: Bool
        /// The colour table: the image's own, or that of all images; `nil` if there is neither.
        var colors: Range<Int>?
        /// The index of transparent pixels.
        var transparentIndex: UInt8?
        /// The delay after the image in hundredths of a second.
        var delay = 0
        /// The disposal method of the file, 0…7.
        var disposal: UInt8 = 0
        /// From the LZW minimum code size to the end of the last sub-block, or to the end of a file that is cut there.
        var data: Range<Int>
    }

    /// A part of the file that a rewritten file may lack.
    enum Removable: Sendable {
        case profile
        case metadata
    }

    let bytes: InputBytes
    /// Whether the file says that it has extensions.
    private(set) var is89a = false
    /// The size of the canvas.
    private(set) var canvas = PixelSize(width: 0, height: 0)
    /// The colour table of all images that have none of their own.
    private(set) var globalColors: Range<Int>?
    private(set) var images: [Image] = []
    /// The number of times to play an animation, 0 for endless.
    private(set) var playCount = 1
    /// Why there are fewer images than in the whole file; `nil` if there are not.
    private(set) var fault: TexelError?
    /// Whether there is an image that does not begin the file, even if it is incomplete.
    private(set) var isAnimation = false
    /// Whether the file ends inside the data of an image.
    private(set) var isCut = false
    /// Whether the end of the images was found: the trailer, or a byte that begins no block.
    private(set) var hasEnd = false
    /// The first minor defect of the structure.
    private(set) var warning: String?
    /// Whether readers accept the structure although the specification does not. Some readers refuse such a file, so it
    /// must not be copied.
    private(set) var hasDefect = false
    /// The profile of the colours, which are always RGB; `nil` without one.
    private(set) var profile: EmbeddedProfile?
    private(set) var xmp: [UInt8]?
    private(set) var comments: [[UInt8]] = []
    /// The extensions that hold metadata, in the order of the file.
    private(set) var removable: [(range: Range<Int>, kind: Removable)] = []
    /// The start of the first image or of the graphic control extension before it. Metadata are inserted here.
    private(set) var imagesStart = 0
    /// The end of the last block that was read; the trailer is not included.
    private(set) var contentEnd = 0

    /// Signature, version and logical screen descriptor.
    static let headerSize = 13

    /// Reads the structure of the whole file; decodes no pixels.
    ///
    /// A GIF does not declare how many images it has, so this waits for the end of the file. The size of the canvas is
    /// checked before.
    ///
    /// - Throws: `truncated` if the file ends before its first image, `damaged`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.bytes = bytes
        guard try bytes.has(Self.headerSize, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        is89a = bytes[4] == UInt8(ascii: "9")
        canvas = PixelSize(width: bytes.littleEndian(2, at: 6), height: bytes.littleEndian(2, at: 8))
        try limits.check(canvas)
        var walk = GIFBlockWalk(bytes, position: Self.headerSize, count: try bytes.wait(for: .max, stop), limits, stop)
        globalColors = try walk.colorTable(flags: bytes[10])
        contentEnd = walk.position
        var control: GIFBlockWalk.Control?
        reading: while true {
            let start = walk.position
            switch try walk.next() {
            case .control(let new):
                if control != nil { hasDefect = true }
                control = new
                if images.isEmpty, imagesStart == 0 { imagesStart = start }
            case .image(let header):
                if imagesStart == 0 { imagesStart = start }
                try append(header, control, limits)
                control = nil
            case .plainText:
                // The text is not drawn, as in all browsers; the control extension before it was its own.
                if imagesStart == 0 { imagesStart = start }
                control = nil
            case .comment(let text):
                comments.append(text)
                removable.append((start..<walk.position, .metadata))
            case .application(let name, let data):
                try read(application: name, data, range: start..<walk.position)
            case .other:
                // What an unknown extension says about the pixels is not known, and it may hold personal data.
                removable.append((start..<walk.position, .metadata))
            case .trailer:
                hasEnd = true
                break reading
            case .end(let isInsideBlock):
                warning = warning ?? "the file ends without a trailer"
                if isInsideBlock, !images.isEmpty, fault == nil { fault = .truncated(rowsRead: 0, rows: canvas.height) }
                break reading
            case .unknown(let byte):
                // Browsers end the file here, too.
                warning = warning ?? "unknown block \(byte) after \(images.count) images"
                if images.isEmpty { throw .gif(.invalidValue(Int(byte), of: "block type")) }
                fault = fault ?? .gif(.invalidValue(Int(byte), of: "block type"))
                hasEnd = true
                break reading
            }
            contentEnd = walk.position
        }
        if control != nil || walk.hasDefect { hasDefect = true }
        guard !images.isEmpty else { throw warning == nil ? .gif(.missing("image")) : .truncated(rowsRead: 0, rows: 0) }
        guard canvas.isPositive else { throw .gif(.invalidDimensions(width: canvas.width, height: canvas.height)) }
    }

    /// Appends an image; the first one may enlarge the canvas.
    private mutating func append(
        _ header: GIFBlockWalk.ImageHeader, _ control: GIFBlockWalk.Control?, _ limits: Limits
    ) throws(TexelError) {
        guard images.count < limits.frames else {
            throw .limitExceeded(.frames, value: images.count + 1, allowed: limits.frames)
        }
        isCut = header.isCut
        if images.isEmpty {
            // A logical screen that is smaller than the first image is an error of the writer: Chrome, Firefox and
            // Pillow enlarge it. An image that only is partly outside is clipped.
            let size = header.area.size
            if size.width > canvas.width || size.height > canvas.height, size.isPositive {
                canvas = PixelSize(
                    width: max(canvas.width, header.area.x + size.width),
                    height: max(canvas.height, header.area.y + size.height))
                try limits.check(canvas)
            }
        } else {
            isAnimation = true
            if header.isCut {
                // Without its last byte, an image is not complete; the one before it is the last.
                fault = .truncated(rowsRead: 0, rows: canvas.height)
                return
            }
        }
        let area = header.area
        let visible = PixelRectangle(
            x: area.x, y: area.y, width: min(area.width, canvas.width - area.x),
            height: min(area.height, canvas.height - area.y))
        if visible != area || header.colors ?? globalColors == nil { hasDefect = true }
        images.append(
            Image(
                area: area, visibleArea: visible.isInside(canvas) ? visible : nil, isInterlaced: header.isInterlaced,
                colors: header.colors ?? globalColors, transparentIndex: control?.transparentIndex,
                delay: control?.delay ?? 0, disposal: control?.disposal ?? 0, data: header.data))
    }

    private mutating func read(
        application name: String, _ data: Range<Int>, range: Range<Int>
    ) throws(TexelError) {
        switch name {
        case "NETSCAPE2.0", "ANIMEXTS1.0":
            // A sub-block with 1 and the number of repetitions; 2 is for a buffer that nothing uses.
            let content = GIFBlockWalk.content(of: data, in: bytes)
            guard content.count >= 3, content[0] & 7 == 1 else { return removable.append((range, .metadata)) }
            let repetitions = content.littleEndian(2, at: 1)
            playCount = repetitions == 0 ? 0 : repetitions + 1
        case "ICCRGBG1012":
            profile = profile ?? EmbeddedProfile(GIFBlockWalk.content(of: data, in: bytes), for: [.rgb])
            removable.append((range, .profile))
        case "XMP DataXMP":
            xmp = xmp ?? GIFXMP.packet(of: data, in: bytes)
            removable.append((range, .metadata))
        default:
            removable.append((range, .metadata))
        }
    }

    /// Whether the canvas has transparent pixels after any image.
    var hasAlpha: Bool {
        !CanvasCoverage.isAlwaysComplete(
            canvas,
            images.map { image in
                (image.animationFrame, image.visibleArea != nil && image.transparentIndex == nil)
            })
    }
}

extension GIFFile.Image {
    /// Whether a side is 0. Other readers refuse files with such an image.
    var hasNoPixels: Bool { !area.size.isPositive }

    /// The image as a frame, without its pixels.
    var animationFrame: AnimationFrame {
        AnimationFrame(
            // An image without a visible pixel still takes time; a frame has at least one pixel.
            area: visibleArea ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1), delay: FrameDelay(delay, 100),
            disposal: visibleArea == nil ? .none : frameDisposal, blending: .over)
    }

    /// The specification defines 0 to 3. Some writers use 4 for 3, and browsers accept it.
    private var frameDisposal: AnimationFrame.Disposal {
        switch disposal {
        case 2: .background
        case 3, 4: .previous
        default: .none
        }
    }
}
