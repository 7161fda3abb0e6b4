import CIsolation
import PlatformLibc
import SystemPackage
import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// The child's side: answers requests one after the other, and uses only the descriptors that it was started with.
///
/// It answers one request after the other; concurrent requests take several children.
struct IsolatedWorker {
    /// The descriptors of the socket and of the memory for results.
    static let socketNumber: CInt = 3
    static let outputNumber: CInt = 4

    #if os(Linux)
        private let channel = MessageChannel(socket: FileDescriptor(rawValue: socketNumber))
        private let output = FileDescriptor(rawValue: outputNumber)
        private let processorSeconds: UInt64
        private let video = IsolatedVideoWorker()

        /// Gives up the privileges, answers requests until the socket is closed, and exits.
        ///
        /// - Parameter formats: those whose codecs prefer isolation and are needed.
        static func run(memoryBytes: UInt64, processorSeconds: UInt64, formats: Set<ImageFormat>) -> Never {
            // Detect the CPU features once here, not while the first header is parsed.
            _ = ProcessorLevel.inUse
            for codec in CodecRegistry.shared.codecs {
                guard !codec.capabilities.prefersIsolation || formats.contains(codec.format) else { continue }
                // A confined process cannot open them. One that is missing is an error of the image that needs it.
                try? codec.loadLibraries()
            }
            guard texel_confine(outputNumber, memoryBytes) == 0 else { _exit(1) }
            let worker = IsolatedWorker(processorSeconds: processorSeconds)
            do {
                try worker.serve()
                _exit(0)
            } catch {
                _exit(1)
            }
        }

        private func serve() throws {
            try channel.send(IsolatedReply.ready)
            while let (request, descriptor) = try channel.receive(IsolatedRequest.self) {
                guard texel_allow_processor_time(processorSeconds) == 0 else { throw MessageError() }
                if case .video(let step) = request {
                    try channel.send(IsolatedReply.video(try video.reply(to: step, descriptor, output)))
                    continue
                }
                guard let descriptor else { throw MessageError() }
                let bytes = try Self.bytes(of: descriptor)
                try channel.send(try reply(to: request, bytes))
            }
        }

        /// Maps the bytes of a descriptor and closes it.
        private static func bytes(of descriptor: FileDescriptor) throws -> InputBytes {
            defer { try? descriptor.close() }
            let count = Int(try descriptor.seek(offset: 0, from: .end))
            guard let bytes = InputBytes(sealed: descriptor, count: count) else { throw Errno(rawValue: errno) }
            return bytes
        }

        private func reply(to request: IsolatedRequest, _ bytes: InputBytes) throws -> IsolatedReply {
            let products: [IsolatedWork.Product]
            do throws(TexelError) {
                switch request {
                case .video: throw TexelError.invalidReply
                case .header(let limits, let page):
                    return .header(
                        try Self.source(bytes, limits).page(of: page, limits: limits).infoWithTiming(limits: limits))
                case .work(let work):
                    let source = try Self.source(bytes, work.policy.limits)
                    products = try work.carriedOut(on: source) { [channel] index, progress in
                        // A parent that no longer listens is noticed with the reply itself.
                        try? channel.send(
                            IsolatedReply.progress(index, rowsDone: progress.rowsDone, rowCount: progress.rowCount))
                    }
                }
            } catch {
                return .failed(error)
            }
            try output.seek(offset: 0, from: .start)
            return .results(try products.map { try outcome(of: $0) })
        }

        /// Appends a result to the shared memory.
        private func outcome(of product: IsolatedWork.Product) throws -> IsolatedReply.Outcome {
            switch product {
            case .success(let result): .made(try result.message(writingTo: output))
            case .failure(let error): .failed(error)
            }
        }

        private static func source(_ bytes: InputBytes, _ limits: Limits) throws(TexelError) -> any ImageFile {
            try CodecRegistry.shared.open(bytes, limits: limits)
        }
    #endif
}
