@testable import TexelCodecs
@testable import TexelJPEG

/// The scans of a JPEG file with their tables: everything after the frame header.
struct JPEGScans {
    /// The size of Huffman tables, scan headers and scan data in bytes, without stuffed zero bytes.
    var byteCount = 0
    var scanCount = 0

    init(_ file: [UInt8]) {
        var position = 2
        var isData = false
        while position + 1 < file.count {
            if isData {
                if file[position] == 0xFF, file[position + 1] != 0 {
                    isData = false
                    continue
                }
                byteCount += 1
                position += file[position] == 0xFF ? 2 : 1
                continue
            }
            let marker = file[position + 1]
            if marker == JPEGFile.Marker.endOfImage { return }
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            if marker == JPEGFile.Marker.startOfScan || marker == 0xC4 { byteCount += 2 + length }
            if marker == JPEGFile.Marker.startOfScan {
                scanCount += 1
                isData = true
            }
            position += 2 + length
        }
    }
}
