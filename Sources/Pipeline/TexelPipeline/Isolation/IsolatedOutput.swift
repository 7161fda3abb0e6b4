import SystemPackage
import TexelCore
import TexelOperations
import TexelPixels

/// A result that a child process makes: its head is in the child's reply, its bytes are in the memory that the child
/// shares with its parent.
protocol IsolatedOutput: HeadedOutput {
    /// Reads the result that a child has described.
    ///
    /// - Parameters:
    ///   - results: the bytes of the child's results, at the first byte of this one.
    ///   - plan: what the child was to carry out.
    /// - Throws: `invalidReply` if it is not such a result.
    static func read(_ head: OutputHead, _ results: inout ChildResults, _ plan: Plan) throws(TexelError) -> Self

    #if os(Linux)
        /// Appends the bytes of the result to the memory that the child shares with its parent.
        func write(to output: FileDescriptor) throws
    #endif
}

extension IsolatedOutput {
    /// Reads the result from its head, as a message.
    ///
    /// - Throws: `invalidReply` if it is not such a result.
    static func read(
        _ head: [UInt8], _ results: inout ChildResults, _ plan: Plan
    ) throws(TexelError) -> Self {
        guard let head = try? MessageDecoder.decode(OutputHead.self, from: head) else {
            throw .invalidReply
        }
        return try read(head, &results, plan)
    }

    #if os(Linux)
        /// Appends the bytes of the result to the shared memory.
        ///
        /// - Returns: its head, as a message.
        func message(writingTo output: FileDescriptor) throws -> [UInt8] {
            try write(to: output)
            return try MessageEncoder.encode(head)
        }
    #endif
}

extension PlanResult {
    /// The type of the result.
    var output: any IsolatedOutput.Type {
        switch self {
        case .file: EncodedImage.self
        case .pixels: PixelBuffer.self
        case .content: TrimOperation.Finding.self
        }
    }
}

extension EncodedImage: IsolatedOutput {
    static func read(
        _ head: Head, _ results: inout ChildResults, _ plan: Plan
    ) throws(TexelError) -> EncodedImage {
        try results.check(head.byteCount)
        var bytes = [UInt8](repeating: 0, count: head.byteCount)
        let reading = bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(TexelError) in try results.read(into: bytes) }
        }
        try reading.get()
        var image = head.image
        image.bytes = bytes
        return image
    }

    #if os(Linux)
        func write(to output: FileDescriptor) throws {
            try output.writeAll(bytes)
        }
    #endif
}

extension PixelBuffer: IsolatedOutput {
    static func read(
        _ head: Head, _ results: inout ChildResults, _ plan: Plan
    ) throws(TexelError) -> PixelBuffer {
        // The reply's size must be the planned one, or a compromised child could return another image.
        guard head.size == plan.outputSize, let count = head.size.pixelCount else { throw .invalidReply }
        try results.check(count * PixelBuffer.bytesPerPixel)
        var image = try PixelBuffer(uninitialized: head.size, alphaMode: head.alphaMode, colorSpace: head.colorSpace)
        try image.withUnsafeMutableBytes { bytes throws(TexelError) in try results.read(into: bytes) }
        return image
    }

    #if os(Linux)
        func write(to output: FileDescriptor) throws {
            let rowBytes = width * PixelBuffer.bytesPerPixel
            try withUnsafeBytes { bytes in
                if isContiguous { return _ = try output.writeAll(bytes) }
                for row in 0..<height {
                    let start = row * bytesPerRow
                    try output.writeAll(UnsafeRawBufferPointer(rebasing: bytes[start..<start + rowBytes]))
                }
            }
        }
    #endif
}

extension TrimOperation.Finding: IsolatedOutput {
    var head: Self { self }

    static func read(
        _ head: Self, _ results: inout ChildResults, _ plan: Plan
    ) throws(TexelError) -> TrimOperation.Finding {
        // A child may not find more than there is.
        if case .content(let rectangle) = head, !rectangle.isInside(plan.outputSize) {
            throw .invalidReply
        }
        return head
    }

    #if os(Linux)
        func write(to output: FileDescriptor) throws {}
    #endif
}
