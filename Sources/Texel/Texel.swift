@_exported public import TexelCodecs
@_exported public import TexelPipeline
@_exported public import TexelPixels
