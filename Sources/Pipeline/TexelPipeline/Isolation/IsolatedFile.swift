import SystemPackage
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

/// An opened file that child processes decode.
struct IsolatedFile: ImageFile {
    let info: ImageInfo
    let bytes: InputBytes
    /// The bytes for the children.
    let input: IsolatedInput
    /// The file as this process has opened it; `nil` if a child has read its header.
    private let local: (any ImageFile)?

    /// Makes a file whose header a child has read.
    init(_ info: ImageInfo, _ input: IsolatedInput) throws(TexelError) {
        self.info = info
        self.input = input
        bytes = try input.mapped()
        local = nil
    }

    /// Makes a file whose header this process has read.
    init(_ local: any ImageFile, _ input: IsolatedInput) {
        info = local.info
        bytes = local.bytes
        self.input = input
        self.local = local
    }

    var mayHavePages: Bool { local?.mayHavePages ?? (info.pageCount > 1) }

    /// Opens page `index`; its header is read where the file's was.
    func page(_ index: Int, limits: Limits, _ stop: StopToken) throws(TexelError) -> IsolatedFile {
        guard let local else { return try input.isolation.open(input, page: index, limits, stop) }
        return IsolatedFile(try local.page(of: index, limits: limits, stop), input)
    }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder { throw Self.refusal }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        throw Self.refusal
    }

    private static let refusal = TexelError.unsupported("decoding an image of another process")
}

extension IsolatedFile: AnimatedImageFile {
    /// A child that reads a header reads the timing with it.
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? {
        try local?.animation(limits: limits)
    }
}
