import TexelCodecs
import TexelCore
import TexelPixels

/// The header of one image in a file of Netpbm's formats: pbm(5), pgm(5), ppm(5), pam(5).
struct PNMHeader: Sendable, Equatable {
    /// The digit of the magic number: 1…7.
    var kind: Int
    var size: PixelSize
    /// The sample of white, 1…65535.
    var maximum: Int
    /// The number of samples of a pixel in the file; a PAM may have more than `channels`.
    var depth: Int
    /// The channels that are used of each pixel, in the order of the file.
    var channels: InterleavedBytes.Channels
    /// The tuple type of a PAM, as stored; empty in other formats.
    var tupleType: [UInt8] = []
    /// The comments in the header, without "#".
    var comments: [[UInt8]] = []
    /// The position of the first sample.
    var raster = 0

    /// The comments as texts of unknown encoding.
    var textComments: [TextComment] { comments.map { TextComment(bytes: $0, encoding: .unknown) } }

    /// Whether samples are decimal numbers.
    var isPlain: Bool { kind <= 3 }
    /// Whether samples are bits, of which 1 is black.
    var isBitmap: Bool { kind == 1 || kind == 4 }
    var bytesPerSample: Int { maximum > 255 ? 2 : 1 }

    /// The bytes of a row of binary samples. `Int.max` if the number overflows: no file has a row of this length.
    var bytesPerRow: Int {
        if isBitmap { return (size.width + 7) / 8 }
        let (samples, overflow) = size.width.multipliedReportingOverflow(by: depth)
        let (bytes, bytesOverflow) = samples.multipliedReportingOverflow(by: bytesPerSample)
        return overflow || bytesOverflow ? .max : bytes
    }

    /// The position after `rows` rows of binary samples; `Int.max` if the number overflows.
    func end(ofRows rows: Int) -> Int {
        let (bytes, overflow) = bytesPerRow.multipliedReportingOverflow(by: rows)
        let (end, endOverflow) = raster.addingReportingOverflow(bytes)
        return overflow || endOverflow ? .max : end
    }
}

// MARK: Reading

extension PNMHeader {
    /// Returns whether bytes begin with a magic number and a separator. The magic number P7 alone also begins
    /// thumbnails of the program xv, which have a space after it.
    static func recognizes(_ head: some Collection<UInt8>) -> Bool {
        var bytes = head.makeIterator()
        guard bytes.next() == UInt8(ascii: "P"), let digit = bytes.next(), let separator = bytes.next() else {
            return false
        }
        switch digit {
        case UInt8(ascii: "1")...UInt8(ascii: "6"): return separator.isSpace || separator == UInt8(ascii: "#")
        case UInt8(ascii: "7"): return separator == UInt8(ascii: "\n")
        default: return false
        }
    }

    /// Reads the header at `position`; waits for its bytes only.
    ///
    /// - Throws: `truncated` if the file ends before the header does; `damaged`, `unsupported`, `limitExceeded`,
    ///   `stopped`.
    init(at position: Int, in bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        var text = PNMHeaderText(bytes, at: position, limits: limits, stop: stop)
        let magic = [try text.next(), try text.next(), try text.next()]
        guard Self.recognizes(magic) else { throw .ppm(.invalidSignature(magic)) }
        self.init(
            kind: Int(magic[1] - UInt8(ascii: "0")), size: PixelSize(width: 0, height: 0), maximum: 1, depth: 1,
            channels: .gray)
        if kind == 7 {
            try readLines(&text)
        } else {
            text.back()
            try readNumbers(&text)
        }
        guard size.isPositive else { throw .ppm(.invalidDimensions(width: size.width, height: size.height)) }
        guard (1...65_535).contains(maximum) else { throw .ppm(.invalidValue(maximum, of: "maxval")) }
        try limits.check(size)
        (comments, raster) = (text.comments, text.position)
    }

    /// Reads the width, the height and the maxval of a PBM, PGM or PPM.
    private mutating func readNumbers(_ text: inout PNMHeaderText) throws(TexelError) {
        let width = try text.number("width")
        size = PixelSize(width: width, height: try text.number("height"))
        if !isBitmap { maximum = try text.number("maxval") }
        if kind == 3 || kind == 6 { (depth, channels) = (3, .rgb) }
    }

    /// Reads the lines of a PAM.
    private mutating func readLines(_ text: inout PNMHeaderText) throws(TexelError) {
        var numbers: [String: Int] = [:]
        while let line = try text.line() {
            let words = line.split(whereSeparator: \.isSpace)
            guard let first = words.first else { continue }
            let name = String(decoding: first, as: UTF8.self)
            switch name {
            case "TUPLTYPE":
                // Several lines make one type, with a space between them.
                let value = line.trimmed.dropFirst(first.count).trimmed
                tupleType += (tupleType.isEmpty ? [] : [UInt8(ascii: " ")]) + value
            case "WIDTH", "HEIGHT", "DEPTH", "MAXVAL":
                guard words.count == 2, let number = PNMHeaderText.number(words[1]) else {
                    throw .ppm(.corrupt("the \(name) line has no number"))
                }
                numbers[name] = number
            default:
                throw .ppm(.corrupt("the header has an unknown line"))
            }
        }
        func value(_ name: String) throws(TexelError) -> Int {
            guard let number = numbers[name] else { throw .ppm(.missing("\(name) line")) }
            return number
        }
        size = PixelSize(width: try value("WIDTH"), height: try value("HEIGHT"))
        (depth, maximum) = (try value("DEPTH"), try value("MAXVAL"))
        guard depth > 0 else { throw .ppm(.invalidValue(depth, of: "DEPTH")) }
        channels = try channelsOfTuples()
    }

    /// The channels by the tuple type, or by the depth if the file has no type. Further planes are ignored, as pam(5)
    /// advises.
    private func channelsOfTuples() throws(TexelError) -> InterleavedBytes.Channels {
        let type = String(decoding: tupleType, as: UTF8.self)
        let channels: InterleavedBytes.Channels
        switch type {
        case "BLACKANDWHITE", "GRAYSCALE": channels = .gray
        case "BLACKANDWHITE_ALPHA", "GRAYSCALE_ALPHA": channels = .grayAlpha
        case "RGB": channels = .rgb
        case "RGB_ALPHA": channels = .rgba
        case "":
            guard let byDepth = InterleavedBytes.Channels(rawValue: depth) else {
                throw .unsupported("a PAM of \(depth) samples a pixel without a tuple type")
            }
            channels = byDepth
        default:
            let name = String(
                type.unicodeScalars.prefix(40).map { (32...126).contains($0.value) ? Character($0) : "?" })
            throw .unsupported("a PAM with the tuple type \(name)")
        }
        guard depth >= channels.rawValue else { throw .ppm(.invalidValue(depth, of: "DEPTH", context: type)) }
        return channels
    }
}

// MARK: Writing

extension PNMHeader {
    /// The header as bytes, with comments after the magic number.
    func bytes(comments: [TextComment]) -> [UInt8] {
        var text = "P\(kind)\n"
        for comment in comments {
            let words = comment.keyword.isEmpty ? comment.text : "\(comment.keyword): \(comment.text)"
            // A comment ends at the end of its line. A scalar view, because a line break of two is one character.
            for line in words.unicodeScalars.split(omittingEmptySubsequences: true, whereSeparator: \.endsLine) {
                text += "# \(String(line))\n"
            }
        }
        guard kind == 7 else {
            text += "\(size.width) \(size.height)\n" + (isBitmap ? "" : "\(maximum)\n")
            return Array(text.utf8)
        }
        text += "WIDTH \(size.width)\nHEIGHT \(size.height)\nDEPTH \(depth)\nMAXVAL \(maximum)\n"
        let type = tupleType.isEmpty ? [] : Array("TUPLTYPE ".utf8) + tupleType + [UInt8(ascii: "\n")]
        return Array(text.utf8) + type + Array("ENDHDR\n".utf8)
    }
}

extension Unicode.Scalar {
    fileprivate var endsLine: Bool { self == "\n" || self == "\r" }
}
