import TexelCodecs
import TexelCore
import TexelPixels

extension AVIFFile: ISOImageFile {
    func rowDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try AVIFDecoder(self, AVIFFrames(self, options), metadata: info.metadata, options)
    }
}

extension AVIFFile: AnimatedImageFile {
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? {
        try AVIFAnimation(self, limits: limits)
    }
}
