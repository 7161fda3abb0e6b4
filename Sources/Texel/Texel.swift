// `import Texel` provides the whole library and the type of file paths.
#if AVIF
    @_exported public import TexelAVIF
#endif
#if HEIC
    @_exported public import TexelHEIC
#endif
@_exported public import TexelBMP
@_exported public import TexelBatch
@_exported public import TexelCodecs
@_exported public import TexelCore
@_exported public import TexelFilters
@_exported public import TexelFormats
@_exported public import TexelJPEG
@_exported public import TexelMetrics
@_exported public import TexelOperations
@_exported public import TexelPNG
@_exported public import TexelPNM
@_exported public import TexelPipeline
@_exported public import TexelPixels
@_exported public import TexelQOI

#if GIF
    @_exported public import TexelGIF
#endif
#if WebP
    @_exported public import TexelWebP
#endif
#if JXL
    @_exported public import TexelJXL
#endif
#if TIFF
    @_exported public import TexelTIFF
#endif
#if Video
    @_exported public import TexelVideo
#endif

@_exported public import struct SystemPackage.FilePath
