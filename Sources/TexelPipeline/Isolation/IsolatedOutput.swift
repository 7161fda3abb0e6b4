import TexelPixels

/// The request to a child process for one kind of result, and how its reply becomes a result.
struct IsolatedOutput<Output: Sendable>: Sendable {
    let kind: IsolatedWork.Kind
    let read: @Sendable (IsolatedReply.Outcome, inout ChildResults, Plan) throws(PipelineError) -> Output
}

extension IsolatedOutput<EncodedImage> {
    static var file: IsolatedOutput {
        IsolatedOutput(kind: .file) { outcome, results, _ throws(PipelineError) in
            guard case .file(var image, let byteCount) = outcome else { throw .isolation(.invalidReply) }
            try results.check(byteCount)
            image.bytes = [UInt8](repeating: 0, count: byteCount)
            let reading = image.bytes.withUnsafeMutableBytes { bytes in
                Result { () throws(PipelineError) in try results.read(into: bytes) }
            }
            try reading.get()
            return image
        }
    }
}

extension IsolatedOutput<PixelBuffer> {
    static var pixels: IsolatedOutput {
        IsolatedOutput(kind: .pixels) { outcome, results, plan throws(PipelineError) in
            // The reply's size must be the planned one, or a compromised child could return another image.
            guard case .pixels(let head) = outcome, head.size == plan.outputSize, let count = head.size.pixelCount
            else { throw .isolation(.invalidReply) }
            try results.check(count * PixelBuffer.bytesPerPixel)
            var image: PixelBuffer
            do throws(PixelBufferError) {
                image = try PixelBuffer(
                    uninitialized: head.size, alphaMode: head.alphaMode, colorSpace: head.colorSpace)
            } catch {
                throw .pixels(error)
            }
            try image.withUnsafeMutableBytes { bytes throws(PipelineError) in try results.read(into: bytes) }
            return image
        }
    }
}
