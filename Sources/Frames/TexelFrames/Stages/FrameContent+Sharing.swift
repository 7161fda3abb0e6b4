extension FrameContent {
    /// Returns another hold of the same content.
    borrowing func shared() -> FrameContent {
        switch self {
        case .pixels(let frame): .pixels(frame.shared())
        case .samples(let samples): .samples(samples.lease.shared(), samples.layout)
        case .fileSamples(let file, let offset, let layout): .fileSamples(file, offset: offset, layout)
        case .planes(let planes): .planes(planes)
        case .field(let field): .field(field)
        case .encoded(let bytes): .encoded(bytes.lease.shared(), count: bytes.count)
        case .file(let path): .file(path)
        case .page(let bytes, let page): .page(bytes, page)
        case .pattern(let pattern): .pattern(pattern)
        }
    }
}
