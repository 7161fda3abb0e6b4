public import Texel

/// The formats of flutter_image_compress, by the name that the plugin gives them. HEIC is read and not written.
public typealias CompressFormat = ImageFormat

#if WebP
    extension ImageFormat {
        /// WebP, as the plugin spells it.
        public static var webp: ImageFormat { .webP }
    }
#endif
