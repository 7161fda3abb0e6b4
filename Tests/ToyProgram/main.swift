// The program `texel` with a format and an operation that it does not know by itself.

import TexelCLI
import TexelCodecs
import TexelOperations
import ToyCodec

CodecRegistry.shared.register(ToyCodec())
PixelOperation.register(ToyOperation.self)
await Program.main()
