import TexelCodecs
import TexelCore
import TexelJPEG
import TexelPixels

/// An opened JPEG XL file.
struct JXLImageFile {
    let file: JXLFile
    let info: ImageInfo
    /// `nil` for a still image.
    private let frames: JXLAnimation?
    private let limits: Limits

    /// - Throws: an error for an invalid header, `limitExceeded`, `missingLibrary`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        file = try JXLFile(bytes, limits: limits, stop: stop)
        frames = try JXLAnimation(file, limits: limits, stop: stop)
        info = ImageInfo(file, frames)
        self.limits = limits
    }
}

extension JXLImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    var holdsWholeHeader: Bool { file.boxes.areComplete && frames?.fault == nil }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try JXLDecoder(file, JXLFrames(file), options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        try JXLRewriting(file, limits: limits, stop: stop).file(metadata: metadata, keeping: keeping)
    }
}

extension JXLImageFile: AnimatedImageFile {
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? {
        guard let frames, info.isAnimation else { return nil }
        guard frames.frames.count <= limits.frames else {
            throw .limitExceeded(.frames, value: frames.frames.count, allowed: limits.frames)
        }
        return frames
    }
}

extension ImageInfo {
    fileprivate init(_ file: JXLFile, _ frames: JXLAnimation?) {
        let (header, frameCount) = (file.header, frames?.frames.count ?? 1)
        let model: ColorModel =
            header.isGray ? (header.hasAlpha ? .grayAlpha : .gray) : (header.hasAlpha ? .rgba : .rgb)
        var coding = header.coding?.rawValue ?? "codestream"
        if file.boxes.hasJPEG { coding += ", with a JPEG's data" }
        self.init(
            format: .jxl, size: header.size, orientation: header.orientation, colorModel: model,
            bitDepth: header.bitDepth, hasAlpha: header.hasAlpha, coding: coding,
            isLossless: header.isXYB || header.coding == .varDCT ? false : nil, frameCount: frameCount,
            isAnimation: frameCount > 1 || frames?.fault != nil, colorSpace: file.colorSpace,
            metadata: file.boxes.metadata)
        colorFault = file.colorFault
        storedFormat = file.boxes.hasJPEG && frameCount == 1 ? .jpeg : nil
    }
}
