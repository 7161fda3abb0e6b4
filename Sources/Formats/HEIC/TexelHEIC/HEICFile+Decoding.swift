import TexelCodecs

extension HEICFile: ISOImageFile {
    func rowDecoder(_ options: DecodeOptions) throws(CodecError) -> any RowDecoder { try HEICDecoder(self, options) }
}
