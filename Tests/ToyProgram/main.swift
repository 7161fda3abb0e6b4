// The program `texel` with a format that it does not know by itself.

import TexelCLI
import TexelCodecs
import ToyCodec

CodecRegistry.shared.register(ToyCodec())
await Program.main()
