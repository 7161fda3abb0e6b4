// Resizes uploads, and serves thumbnails of the pictures in a folder:
//
//     ThumbnailServer FOLDER CACHE PORT
//     curl --data-binary @photo.png 'localhost:8080/resize?width=320&format=jpeg' -o small.jpg
//     curl 'localhost:8080/thumbnails/photo.png?width=160' -o thumbnail.png

import Foundation
import Hummingbird
import Texel

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[3]) else {
    print("usage: ThumbnailServer FOLDER CACHE PORT")
    exit(64)
}
returnFreedMemory()
let folder = FilePath(arguments[1])
var configuration = ImagePipeline.Configuration()
configuration.diskCache = DiskCache(directory: FilePath(arguments[2]), sizeLimit: 256 << 20)
// So many senders may take their time before others have to wait.
configuration.transfers = 32
let pipeline = ImagePipeline(configuration)

/// A request with the limits for files from unknown sources.
@Sendable func imageRequest(_ source: some ByteSource, _ parameters: Parameters) throws -> ImageRequest {
    var request = ImageRequest(source, recipe: try Recipe(parameters))
    request.policy.limits = .untrusted
    request.policy.limits.inputBytes = 20 << 20
    request.timeout = Limits.untrustedTimeout
    return request
}

let router = Router()

// An upload is decoded while it arrives. When its sender leaves, the work ends.
router.post("resize") { request, _ in
    let count = request.headers[.contentLength].flatMap { Int($0) }
    let image = try await request.body.consumeWithCancellationOnInboundClose { body in
        let upload = StreamSource(body.map(\.readableBytesView), count: count)
        return try await pipeline.encodedImage(for: imageRequest(upload, request.uri.queryParameters))
    }
    return Response(image, [.connection: "close"])
}

// A thumbnail is made once for all who want it at the same time, and kept: also when they leave, for the next one.
router.get("thumbnails/:name") { request, context in
    let name = try context.parameters.require("name").removingPercentEncoding ?? ""
    // A name that leads nowhere else: one component, neither "." nor "..", and no link.
    guard let file = FilePath.Component(name), file.kind == .regular, file.string == name else {
        throw HTTPError(.notFound)
    }
    let source = FileSource(folder.appending(file), followsLinks: false)
    let image = try await pipeline.encodedImage(for: imageRequest(source, request.uri.queryParameters))
    let tag = "\"\(ContentDigest(of: image.bytes))\""
    let headers: HTTPFields = [.eTag: tag, .cacheControl: "public, max-age=3600"]
    let isKnown = request.headers[.ifNoneMatch]?.contains(tag) ?? false
    return isKnown ? Response(status: .notModified, headers: headers) : Response(image, headers)
}

router.get("statistics") { _, _ in
    let (memory, disk) = (pipeline.statistics.memoryCache, pipeline.statistics.diskCache)
    return """
        thumbnails made: \(disk?.stores ?? 0)
        found in memory: \(memory?.hits ?? 0)
        found on the disk: \(disk?.hits ?? 0)

        """
}

// Who stalls for half a minute is cut off. SIGTERM lets the requests under way end.
let application = Application(
    router: router, server: .http1(configuration: .init(idleTimeout: .seconds(30))),
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
try await application.runService()
