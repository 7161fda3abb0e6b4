#if os(Linux)
    import SystemPackage
    import TestSupport
    import Testing

    @testable import TexelPipeline

    /// Decoding of inotify's records.
    @Suite struct InotifyReaderTests {
        private struct Record {
            let event: InotifyReader.Event
            let bytes: [UInt8]

            /// - Parameter zeroCount: the number of zeros after the name.
            init(watch: Int32, mask: Int32, cookie: UInt32 = 0, name: [UInt8] = [], zeroCount: Int = 0) {
                let terminatedName = name.map { CChar(bitPattern: $0) } + [0]
                event = InotifyReader.Event(
                    watch: watch, mask: mask, name: FilePath.Component(platformString: terminatedName))
                var bytes: [UInt8] = []
                for field in [UInt32(bitPattern: watch), UInt32(bitPattern: mask), cookie] {
                    bytes += Self.bytes(of: field)
                }
                bytes += Self.bytes(of: UInt32(name.count + zeroCount))
                self.bytes = bytes + name + [UInt8](repeating: 0, count: zeroCount)
            }

            private static func bytes(of value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

            static func random(using generator: inout SeededGenerator) -> Record {
                let nameLength = Int.random(in: 0...20, using: &generator)
                var name: [UInt8] = []
                while name.count < nameLength {
                    let byte = UInt8.random(in: 1...255, using: &generator)
                    if byte != UInt8(ascii: "/") { name.append(byte) }
                }
                return Record(
                    watch: Int32.random(in: -1...9, using: &generator),
                    mask: Int32.random(in: 0...Int32.max, using: &generator),
                    cookie: UInt32.random(in: 0...UInt32.max, using: &generator), name: name,
                    zeroCount: Int.random(in: 0...16, using: &generator))
            }
        }

        private func events(_ bytes: [UInt8]) -> [InotifyReader.Event] {
            bytes.withUnsafeBytes { InotifyReader.events(in: $0) }
        }

        @Test func paddingOfNamesIsRemoved() {
            let records = [
                Record(watch: 1, mask: 0x8, name: Array("a.png".utf8), zeroCount: 11),
                Record(watch: 2, mask: 0x80, cookie: 7, name: Array("sixteen-bytes.pn".utf8)),
                Record(watch: 1, mask: 0x400),
                Record(watch: -1, mask: 0x4000),
            ]
            let found = events(records.flatMap(\.bytes))
            #expect(found == records.map(\.event))
            #expect(found.map { $0.name?.string } == ["a.png", "sixteen-bytes.pn", nil, nil])
            #expect(found.map(\.isOverflow) == [false, false, false, true])
        }

        /// At any length, the complete records of a buffer are returned, and nothing of a truncated one.
        @Test(arguments: 0..<20) func truncatedRecordsAreIgnored(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            let records = (0..<6).map { _ in Record.random(using: &generator) }
            let bytes = records.flatMap(\.bytes)
            var (complete, end) = (0, 0)
            for count in 0...bytes.count {
                while complete < records.count, end + records[complete].bytes.count <= count {
                    end += records[complete].bytes.count
                    complete += 1
                }
                #expect(events(Array(bytes[..<count])) == records[..<complete].map(\.event))
            }
            #expect(complete == records.count)
        }

        @Test func nameLongerThanTheBuffer() {
            let first = Record(watch: 1, mask: 0x8, name: Array("a.png".utf8), zeroCount: 11)
            var second = first.bytes
            second.replaceSubrange(12..<16, with: [UInt8](repeating: 0xFF, count: 4))
            #expect(events(first.bytes + second) == [first.event])
        }
    }
#endif
