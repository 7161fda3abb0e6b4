// Re-exported, so that ported code needs only one import.
@_exported public import Texel
