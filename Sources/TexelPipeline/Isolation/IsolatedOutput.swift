import SystemPackage
import TexelPixels

/// A result that a child process makes.
protocol IsolatedOutput: RecipeOutput {
    /// Reads the result that a child has described.
    ///
    /// - Parameters:
    ///   - results: the bytes of the child's results, at the first byte of this one.
    ///   - plan: what the child was to carry out.
    /// - Throws: `isolation(.invalidReply)` if the reply is not such a result.
    static func read(
        _ outcome: IsolatedReply.Outcome, _ results: inout ChildResults, _ plan: Plan
    ) throws(PipelineError) -> Self

    #if os(Linux)
        /// Appends the bytes of the result to the memory that the child shares with its parent.
        ///
        /// - Returns: the description of the result.
        func write(to output: FileDescriptor) throws -> IsolatedReply.Outcome
    #endif
}

extension ResultKind {
    /// The type of the results.
    var output: any IsolatedOutput.Type {
        switch self {
        case .file: EncodedImage.self
        case .pixels: PixelBuffer.self
        }
    }
}

extension EncodedImage: IsolatedOutput {
    static func read(
        _ outcome: IsolatedReply.Outcome, _ results: inout ChildResults, _ plan: Plan
    ) throws(PipelineError) -> EncodedImage {
        guard case .file(var image, let byteCount) = outcome else { throw .isolation(.invalidReply) }
        try results.check(byteCount)
        image.bytes = [UInt8](repeating: 0, count: byteCount)
        let reading = image.bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(PipelineError) in try results.read(into: bytes) }
        }
        try reading.get()
        return image
    }

    #if os(Linux)
        func write(to output: FileDescriptor) throws -> IsolatedReply.Outcome {
            try output.writeAll(bytes)
            var head = self
            head.bytes = []
            return .file(head, byteCount: bytes.count)
        }
    #endif
}

extension PixelBuffer: IsolatedOutput {
    static func read(
        _ outcome: IsolatedReply.Outcome, _ results: inout ChildResults, _ plan: Plan
    ) throws(PipelineError) -> PixelBuffer {
        // The reply's size must be the planned one, or a compromised child could return another image.
        guard case .pixels(let head) = outcome, head.size == plan.outputSize, let count = head.size.pixelCount
        else { throw .isolation(.invalidReply) }
        try results.check(count * PixelBuffer.bytesPerPixel)
        var image: PixelBuffer
        do throws(PixelBufferError) {
            image = try PixelBuffer(uninitialized: head.size, alphaMode: head.alphaMode, colorSpace: head.colorSpace)
        } catch {
            throw .pixels(error)
        }
        try image.withUnsafeMutableBytes { bytes throws(PipelineError) in try results.read(into: bytes) }
        return image
    }

    #if os(Linux)
        func write(to output: FileDescriptor) throws -> IsolatedReply.Outcome {
            let rowBytes = width * PixelBuffer.bytesPerPixel
            try withUnsafeBytes { bytes in
                if isContiguous { return _ = try output.writeAll(bytes) }
                for row in 0..<height {
                    let start = row * bytesPerRow
                    try output.writeAll(UnsafeRawBufferPointer(rebasing: bytes[start..<start + rowBytes]))
                }
            }
            return .pixels(IsolatedReply.PixelHead(size: size, alphaMode: alphaMode, colorSpace: colorSpace))
        }
    #endif
}
