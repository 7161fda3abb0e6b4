import TexelCore
import TexelPixels

@testable import TexelAVIF
@testable import TexelCodecs

extension FuzzTarget {
    /// Reads the structure of an AVIF and writes it with other metadata. No library is called, so this is fast.
    static let boxes = FuzzTarget("boxes", maximumLength: 1 << 13) { bytes, choices in
        let limits = Limits.fuzzing
        let keeping: KeptParts = choices.isSet() ? [.color, .attachments] : []
        let metadata = WrittenMetadata(
            exif: choices.isSet() ? EXIF.block(orientation: .rotated90) : nil,
            xmp: choices.isSet() ? Array("<x/>".utf8) : nil)
        do throws(TexelError) {
            let source = try AVIFFile(InputBytes(bytes), limits: limits, stop: nil)
            _ = try source.attachments(nil)
            let copy = try source.rewritten(metadata: metadata, keeping: keeping, stop: nil)
            let written: AVIFFile
            do throws(TexelError) {
                written = try AVIFFile(InputBytes(copy), limits: limits, stop: nil)
            } catch {
                return expect(false, "a rewritten file is an AVIF: \(error)")
            }
            let (old, new) = (source.image, written.image)
            expect(old.area == new.area && old.orientation == new.orientation, "the image lies as it did")
            expect(written.info.metadata.xmp?.bytes == metadata.xmp, "the metadata are those that were given")
            // Ranges may end after the file.
            func data(_ file: AVIFFile) -> [[UInt8]] {
                (file.track.map { $0.samples.map(\.range) } ?? file.extents).map {
                    Array(file.bytes[$0.clamped(to: 0..<file.bytes.count)])
                }
            }
            expect(data(source) == data(written), "every byte of the image is found")
        } catch {
            expectSentence(error)
        }
    }
}
