// The program `texel` with a format and operations that it does not know by itself.

import TexelCLI
import TexelCodecs
import TexelOperations
import ToyCodec

CodecRegistry.shared.register(ToyCodec())
PixelOperation.register(ToyOperation.self)
PixelOperation.register(ToyPaintOperation.self)
await Program.main()
