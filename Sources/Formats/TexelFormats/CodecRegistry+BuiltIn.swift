import TexelBMP
public import TexelCodecs
import TexelJPEG
import TexelPNG
import TexelPNM
import TexelQOI
#if GIF
    import TexelGIF
#endif
#if WebP
    import TexelWebP
#endif
#if AVIF
    import TexelAVIF
#endif
#if HEIC
    import TexelHEIC
#endif
#if JXL
    import TexelJXL
#endif
#if TIFF
    import TexelTIFF
#endif
#if Video
    import TexelVideo
#endif

extension CodecRegistry {
    /// The codecs of the process: Texel's own, and those that were added.
    ///
    /// Register a codec before the first image of its format is read.
    public static let shared = CodecRegistry(builtIn)

    /// Texel's own codecs. Formats are tried in this order.
    package static let builtIn: [any ImageCodec] = {
        var codecs: [any ImageCodec] = [PNGCodec(), JPEGCodec(), PNMCodec(), BMPCodec(), QOICodec()]
        #if GIF
            codecs.append(GIFCodec())
        #endif
        #if WebP
            codecs.append(WebPCodec())
        #endif
        #if AVIF
            codecs.append(AVIFCodec())
        #endif
        #if HEIC
            codecs.append(HEICCodec())
        #endif
        #if JXL
            codecs.append(JXLCodec())
        #endif
        #if TIFF
            codecs.append(TIFFCodec())
        #endif
        #if Video
            // Last: it recognises all brands of ISO base media.
            codecs.append(VideoCodec())
        #endif
        return codecs
    }()
}
