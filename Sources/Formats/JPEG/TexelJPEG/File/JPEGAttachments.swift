import TexelCodecs
import TexelCore

extension JPEGFile {
    private static let multiPictureIdentifier = Array("MPF\0".utf8)
    /// ISO 21496-1.
    private static let gainMapIdentifier = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

    /// Finds the data that other standards append to the image: images of a multi-picture file (CIPA DC-007), gain maps
    /// (Adobe's and Apple's XMP, ISO 21496-1) and videos (Google's and Samsung's motion photos).
    ///
    /// Waits for the whole file if the header has a multi-picture index.
    ///
    /// - Throws: `stopped`.
    func attachments(xmp: XMP?, _ stop: StopToken?) throws(TexelError) -> Set<ImageAttachment> {
        var found: Set<ImageAttachment> = []
        if let xmp {
            let signs = ["MotionPhoto=\"1\"", "MotionPhoto>1<", "MicroVideo=\"1\"", "MicroVideo>1<"]
            if Self.isAny(of: signs, in: xmp.bytes) { found.insert(.video) }
            if Self.isAny(of: ["hdrgm:", "HDRGainMap"], in: xmp.bytes) { found.insert(.gainMap) }
        }
        if !payloads(Marker.application2, beginningWith: Self.gainMapIdentifier).isEmpty { found.insert(.gainMap) }
        if let index = multiPictureIndex {
            _ = try bytes.wait(for: .max, stop)
            for image in index.images.dropFirst() { found.formUnion(attachment(image, of: index)) }
        }
        let count = bytes.countSoFar
        // The last marker of the blocks that Samsung appends.
        if count > 4, bytes[(count - 4)..<count].elementsEqual("SEFT".utf8) { found.insert(.video) }
        return found
    }

    private func attachment(_ image: MultiPictureIndex.Image, of index: MultiPictureIndex) -> [ImageAttachment] {
        let start = index.start + image.offset
        guard image.offset > 0, start < bytes.countSoFar else { return [] }
        let head = Array(bytes[start..<min(start + 65_536, bytes.countSoFar)])
        // Only its metadata tell whether it is a gain map.
        if Self.isAny(of: ["hdrgm", "HDRGainMap", "urn:iso:std:iso:ts:21496"], in: head) { return [.gainMap] }
        return image.isPreview ? [] : [.image]
    }

    /// Whether one of these texts occurs in `bytes`. The search of strings takes a millisecond for a camera's XMP.
    private static func isAny(of texts: [String], in bytes: [UInt8]) -> Bool {
        texts.contains { text in
            let text = Array(text.utf8)
            return bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while rest.count >= text.count, let first = text.first, let place = rest.firstIndex(of: first) {
                    rest = rest[place...]
                    if rest.starts(with: text) { return true }
                    rest = rest.dropFirst()
                }
                return false
            }
        }
    }

    /// Whether other standards have appended data to the image. Waits for the whole file.
    ///
    /// - Throws: `stopped`.
    func hasDataAfterImage(_ stop: StopToken?) throws(TexelError) -> Bool {
        let end = try end(stop)
        return try bytes.has(end + 1, stop)
    }

    /// Returns another file of the same image with the data that is appended to this one.
    ///
    /// - Parameter other: a file that ends with its image.
    /// - Throws: `stopped`, `limitExceeded`.
    func attaching(to other: [UInt8], _ stop: StopToken?) throws(TexelError) -> [UInt8] {
        let (end, count) = (try end(stop), try bytes.wait(for: .max, stop))
        guard end < count else { return other }
        let file = try JPEGFile(InputBytes(other))
        let head = file.segments.first { !Marker.isApplication($0.marker) }.map { $0.payload.lowerBound - 4 }
        let place = head ?? file.scanStart
        var index = multiPictureIndex
        let identifiers = [Self.multiPictureIdentifier, Self.gainMapIdentifier]
        var inserted: [UInt8] = []
        for segment in segments where segment.marker == Marker.application2 {
            let payload = bytes[segment.payload]
            guard identifiers.contains(where: { payload.starts(with: $0) }) else { continue }
            if let own = index, segment.payload.contains(own.start) {
                let newStart = place + inserted.count + 4 + (own.start - segment.payload.lowerBound)
                index?.newStart = newStart
            }
            inserted += JPEGSegments.Segment(marker: segment.marker, payload: Array(payload)).bytes
        }
        var result = Array(other[..<place]) + inserted + other[place...]
        index?.correct(&result, end: end, newEnd: result.count)
        return result + bytes[end..<count]
    }

    private var multiPictureIndex: MultiPictureIndex? {
        guard let payload = payloads(Marker.application2, beginningWith: Self.multiPictureIdentifier).first else {
            return nil
        }
        return MultiPictureIndex(Array(bytes[payload]), start: payload.lowerBound)
    }
}

/// The index of a multi-picture file (CIPA DC-007, 5.2): a TIFF directory whose entry B002 lists the images.
private struct MultiPictureIndex {
    struct Image {
        /// The offset of its entry from the start of the index.
        var entry: Int
        /// The offset of its data from the start of the index; 0 for the first image.
        var offset: Int
        /// Whether it is a smaller version of the first image (table 4: the types 01xxxx).
        var isPreview: Bool
    }

    /// The position of the index in the file.
    let start: Int
    /// The position of the index in the new file.
    var newStart: Int?
    let images: [Image]
    private let order: ByteOrder

    init?(_ bytes: [UInt8], start: Int) {
        guard bytes.count >= 8 else { return nil }
        let isLittleEndian = bytes.starts(with: Array("II*\0".utf8))
        guard isLittleEndian || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
        let order = isLittleEndian ? ByteOrder.littleEndian : .bigEndian
        func number(_ at: Int, _ count: Int) -> Int? {
            guard at >= 0, at <= bytes.count - count else { return nil }
            return order.number(count, at: at, in: bytes)
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<min(count, 64) {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2), let size = number(entry + 4, 4), let value = number(entry + 8, 4) else {
                return nil
            }
            guard tag == 0xB002 else { continue }
            var images: [Image] = []
            for place in stride(from: value, to: value + min(size, 16 * 256), by: 16) {
                guard let attribute = number(place, 4), let offset = number(place + 8, 4) else { return nil }
                images.append(
                    Image(entry: place, offset: offset, isPreview: attribute >> 16 & 0xFF == 1))
            }
            (self.start, self.images, self.order) = (start, images, order)
            return
        }
        return nil
    }

    /// Corrects the offsets and the size in the index of a new file.
    ///
    /// - Parameters:
    ///   - end: the end of the first image in the old file.
    ///   - newEnd: the end of the first image in the new file; the others follow at the same distances.
    func correct(_ file: inout [UInt8], end: Int, newEnd: Int) {
        guard let newStart else { return }
        let shift = (newEnd - newStart) - (end - start)
        for (index, image) in images.enumerated() {
            let entry = newStart + image.entry
            if index == 0 {
                write(newEnd, at: entry + 4, in: &file)
            } else if image.offset > 0 {
                write(image.offset + shift, at: entry + 8, in: &file)
            }
        }
    }

    private func write(_ value: Int, at place: Int, in file: inout [UInt8]) {
        for (index, byte) in order.bytes(value, count: 4).enumerated() where place + index < file.count {
            file[place + index] = byte
        }
    }
}
