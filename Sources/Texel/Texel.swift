// `import Texel` gives a user the whole library and the type that names files.
@_exported public import TexelCodecs
@_exported public import TexelPipeline
@_exported public import TexelPixels

@_exported public import struct SystemPackage.FilePath
