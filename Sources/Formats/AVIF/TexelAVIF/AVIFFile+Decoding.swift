import TexelCodecs
import TexelPixels

extension AVIFFile: ISOImageFile {
    func rowDecoder(_ options: DecodeOptions) throws(CodecError) -> any RowDecoder {
        try AVIFDecoder(self, AVIFFrames(self, options), metadata: info.metadata, options)
    }
}

extension AVIFFile: AnimatedImageFile {
    func animation(limits: Limits) throws(CodecError) -> (any ImageAnimation)? {
        try AVIFAnimation(self, limits: limits)
    }
}
