// One import is enough for a port.
@_exported public import Texel
