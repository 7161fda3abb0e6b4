import TexelCodecs
import TexelCore
import TexelPixels

/// Joins the restart intervals of an image, each encoded as a file of its own, to one file.
struct JPEGIntervalJoiner {
    private let sink: OutputSink
    private let imageHeight: Int
    private var count = 0

    /// - Parameter sink: receives the file.
    init(imageHeight: Int, to sink: OutputSink) {
        self.imageHeight = imageHeight
        self.sink = sink
    }

    /// Appends the next interval. The header of the first one becomes the file's.
    ///
    /// - Throws: `stopped(.outputFailed)`, `cannotEncode`.
    mutating func append(_ bytes: [UInt8]) throws(TexelError) {
        let file = try JPEGFile(InputBytes(bytes))
        guard let frame = file.segments.first(where: { JPEGFile.Marker.isFrame($0.marker) }),
            bytes.count >= file.scanStart + 6
        else { throw .cannotEncode("a part of the image has no scan") }
        // The header of the scan has its length after the marker.
        let length = file.scanStart + 2
        let scan = length + Int(bytes[length]) << 8 + Int(bytes[length + 1])
        if count == 0 {
            var header = Array(bytes[..<scan])
            // After the precision (ITU-T T.81, B.2.2).
            header[frame.payload.lowerBound + 1] = UInt8(imageHeight >> 8)
            header[frame.payload.lowerBound + 2] = UInt8(imageHeight & 255)
            try sink.append(header)
        } else {
            try sink.append([0xFF, JPEGFile.Marker.restart0 + UInt8((count - 1) % 8)])
        }
        // Without the marker of the end.
        let coded = scan..<(bytes.count - 2)
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(TexelError) in try sink.append(UnsafeRawBufferPointer(rebasing: bytes[coded])) }
        }.get()
        count += 1
    }

    /// Ends the file.
    ///
    /// - Throws: `stopped(.outputFailed)`.
    func finish() throws(TexelError) -> EncodedBytes {
        try sink.append([0xFF, JPEGFile.Marker.endOfImage])
        return sink.finish()
    }
}
