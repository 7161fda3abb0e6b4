import CLibAVShim
import TexelCodecs
import TexelPixels

extension VideoInfo {
    /// Describes an open video.
    init(_ video: OpaquePointer, _ timeBase: TimeBase) {
        let found = texel_video_describe(video)
        self.init(
            container: String(found.container) ?? "", codec: String(found.codec) ?? "",
            size: PixelSize(width: Int(found.width), height: Int(found.height)))
        profile = String(found.profile)
        pixelFormat = String(found.pixel_format)
        bitDepth = found.depth > 0 ? Int(found.depth) : 8
        isRGB = found.is_rgb
        hasAlpha = found.has_alpha
        losesAlpha = found.loses_alpha
        pixelAspect = PixelAspect(found.aspect)
        orientation = Orientation(rawValue: Int(found.orientation))
        baseRate = FrameRate(found.base_rate)
        rate = FrameRate(found.average_rate) ?? baseRate
        if found.duration > 0, let time = timeBase.time(of: Int(found.duration)) { duration = time / .seconds(1) }
        frameCount = found.frame_count > 0 ? Int(found.frame_count) : nil
        colors = VideoColors(found.colors)
        fields = FieldOrder(found.fields)
        streams = (0..<found.stream_count).map { Stream(texel_video_stream_at(video, $0)) }
        index = Int(found.index)
        isCover = found.has_cover_only
        // The times of a cover are those of the sound.
        if isCover { (rate, baseRate, duration) = (nil, nil, nil) }
    }
}

extension VideoInfo.Stream {
    fileprivate init(_ found: texel_video_stream) {
        self.init(
            kind: String(found.kind) ?? "unknown", codec: String(found.codec) ?? "", language: String(found.language),
            isDefault: found.is_default, isCover: found.is_cover)
    }
}

extension String {
    /// Copies a C string; `nil` for none.
    fileprivate init?(_ text: UnsafePointer<CChar>?) {
        guard let text else { return nil }
        self.init(cString: text)
    }
}

extension FrameRate {
    fileprivate init?(_ fraction: texel_video_fraction) {
        self.init(Int(fraction.numerator), per: Int(fraction.denominator))
    }
}

extension PixelAspect {
    /// Unknown or damaged ratios are those of square pixels.
    init(_ fraction: texel_video_fraction) {
        self =
            PixelAspect(horizontal: Int(fraction.numerator), vertical: Int(fraction.denominator)) ?? .square
    }
}

extension VideoColors {
    init(_ found: texel_video_colors) {
        self.init(
            matrix: Int(found.matrix), transfer: Int(found.transfer), primaries: Int(found.primaries),
            isFullRange: found.range < 0 ? nil : found.range == 1)
    }
}

extension FieldOrder {
    init?(_ fields: texel_video_fields) {
        switch fields {
        case TEXEL_FIELDS_TOP_FIRST: self = .topFirst
        case TEXEL_FIELDS_BOTTOM_FIRST: self = .bottomFirst
        default: return nil
        }
    }
}
