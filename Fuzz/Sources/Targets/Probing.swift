import Foundation
import TexelBatch
import TexelCore
import TexelPipeline
import TexelPixels

import TexelFormats
@testable import TexelCLI
@testable import TexelCodecs

extension FuzzTarget {
    /// Headers, and the report of `texel info` about them.
    static let probe = FuzzTarget("probe", maximumLength: 1 << 14) { bytes in
        let limits = Limits.fuzzing
        do throws(TexelError) {
            let info = try CodecRegistry.shared.open(InputBytes(bytes), limits: limits).info
            expect(try ImageFormat(sniffing: bytes) == info.format, "the format is what the first bytes say")
            expect(info.size.isPositive && max(info.size.width, info.size.height) <= limits.side, "sides are limited")
            expect((info.size.pixelCount ?? .max) <= limits.pixels, "pixels are limited")
            expect((1...limits.frames).contains(info.frameCount), "frames are limited")
            let blocks = [info.metadata.exif?.bytes.count, info.metadata.xmp?.bytes.count, info.metadata.iptc?.count]
            expect(blocks.allSatisfy { ($0 ?? 0) <= limits.metadataBytes }, "metadata are limited")
            info.expectReadableReport(byteCount: bytes.count)
        } catch {
            expectSentence(error)
        }
    }
}

extension ImageInfo {
    /// Checks that the report of `texel info` is safe to print on a terminal and valid JSON.
    func expectReadableReport(byteCount: Int) {
        let report = InfoReport(InputItem("name"), self, byteCount: byteCount)
        let hasControls = report.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
        expect(!hasControls, "a report holds no control characters")
        let json = JSONLine.text(of: report)
        let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        expect(object?["width"] as? Int == size.width, "a report is JSON")
        expect(!json.contains("\n"), "a report is one line")
    }
}
