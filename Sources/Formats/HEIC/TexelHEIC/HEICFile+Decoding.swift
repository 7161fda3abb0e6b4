import TexelCodecs
import TexelCore

extension HEICFile: ISOImageFile {
    func rowDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder { try HEICDecoder(self, options) }
}
