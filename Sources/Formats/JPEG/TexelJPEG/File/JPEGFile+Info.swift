import TexelCodecs
import TexelCore
import TexelPixels

extension ImageInfo {
    init(_ file: JPEGFile, _ frame: JPEGFile.Frame, limits: Limits, _ stop: StopToken?) throws(TexelError) {
        let metadata = try file.metadata(limit: limits.metadataBytes)
        let profile = try file.colorProfile(of: frame, limit: limits.metadataBytes)
        self.init(
            format: .jpeg, size: PixelSize(width: frame.width, height: frame.height),
            orientation: metadata.orientation, colorModel: file.colorModel(of: frame), bitDepth: frame.precision,
            hasAlpha: false, isProgressive: frame.isProgressive, coding: frame.coding,
            chromaSubsampling: frame.chromaSubsampling, colorSpace: profile.colorSpace(), metadata: metadata,
            decodeScales: [1, 2, 4, 8])
        colorFault = profile.fault
        hasPlanes = colorModel == .gray || colorModel == .yCbCr
        coefficientLayout = try file.coefficientLayout(of: frame, stop)
        quantization = file.quantization(of: frame)
    }
}

extension JPEGFile {
    /// Returns the colour model that libjpeg will use (same rules as its default_decompress_parms).
    func colorModel(of frame: Frame) -> ImageInfo.ColorModel {
        switch frame.components.count {
        case 1: return .gray
        case 4: return adobeTransform == 2 ? .ycck : .cmyk
        default:
            if !payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).isEmpty { return .yCbCr }
            if let adobeTransform { return adobeTransform == 0 ? .rgb : .yCbCr }
            return frame.components.map(\.identifier).elementsEqual("RGB".utf8) ? .rgb : .yCbCr
        }
    }
}

extension JPEGFile.Frame {
    fileprivate var coding: String {
        let process = isProgressive ? "progressive" : marker == 0xC0 ? "baseline" : "extended sequential"
        return isArithmetic ? process + ", arithmetic" : process
    }

    /// The subsampling in J:a:b notation; "other" if it has none.
    fileprivate var chromaSubsampling: String? {
        guard components.count >= 3, let first = components.first else { return nil }
        let (second, third) = (components[1], components[2])
        guard second.horizontalSampling == third.horizontalSampling,
            second.verticalSampling == third.verticalSampling,
            second.horizontalSampling > 0, second.verticalSampling > 0
        else { return "other" }
        let across = first.horizontalSampling / second.horizontalSampling
        let down = first.verticalSampling / second.verticalSampling
        switch (across, down) {
        case (1, 1): return "4:4:4"
        case (2, 1): return "4:2:2"
        case (2, 2): return "4:2:0"
        case (1, 2): return "4:4:0"
        case (4, 1): return "4:1:1"
        case (4, 2): return "4:1:0"
        default: return "other"
        }
    }
}
