import HTTPTypes
import Hummingbird
import Texel

extension Recipe {
    /// What an address asks for: `?width=…&height=…&format=jpeg|png&quality=1…100`.
    init(_ parameters: Parameters) throws {
        func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
            guard parameters.has(name[...]) else { return nil }
            let number = try parameters.require(name, as: Int.self)
            guard range.contains(number) else { throw HTTPError(.badRequest, message: "\(name) is not in \(range)") }
            return number
        }
        let format = try parameters.get("format").map { name in
            guard let format = ImageFormat(fileExtension: name) else {
                throw HTTPError(.badRequest, message: "there is no format \(name)")
            }
            return format
        }
        let sides = 1...10_000
        self = try Recipe()
            .resizing(width: number("width", in: sides), height: number("height", in: sides))
            .encoding(as: format, quality: number("quality", in: 1...100))
    }
}

extension Response {
    init(_ image: EncodedImage, _ headers: HTTPFields) {
        self.init(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.bytes)))
        self.headers[.contentType] = image.format.mediaType
    }
}

/// Whatever goes wrong with a picture has a status, and a sentence that says what it is.
extension TexelError: @retroactive HTTPResponseError, @retroactive ResponseGenerator {
    public var status: HTTPResponse.Status {
        switch kind {
        case .missingFile, .isDirectory, .cannotRead: .notFound
        case .limitExceeded: .contentTooLarge
        case .unknownFormat, .unsupported: .unsupportedMediaType
        case .empty, .truncated, .damaged, .warning, .animated, .severalPages, .attachmentsLost, .missingFrame,
            .missingPage, .scoreTooHigh, .byteLimitTooLow, .byteLimitTooLowForScore, .notLossless, .childEnded,
            .childFailed:
            .unprocessableContent
        case .cancelled, .timedOut, .sourceFailed, .outputFailed, .outOfMemory, .isolationUnavailable,
            .childNotStarted, .childTimedOut:
            .serviceUnavailable
        case .cannotEncode, .invalidArgument, .invalidParameter, .unusableColorProfile, .resultTooLarge, .source:
            .badRequest
        default: .internalServerError
        }
    }

    public func response(from request: Request, context: some RequestContext) throws -> Response {
        try HTTPError(status, message: "\(self)").response(from: request, context: context)
    }
}
