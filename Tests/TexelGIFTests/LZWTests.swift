#if GIF
    import TestSupport
    import Testing

    @testable import TexelCodecs
    @testable import TexelGIF

    /// Compression and decompression, without files.
    @Suite struct LZWTests {
        private func decoded(_ data: [UInt8], count: Int, width: Int = 100) -> ([UInt8], FormatDefect?) {
            let bytes = InputBytes(data)
            let decoder = LZWDecoder(bytes, 0..<data.count, width: width)
            var result: [UInt8] = []
            while result.count < count {
                let part = decoder.next(min(width, count - result.count))
                if part.isEmpty { break }
                result += part
            }
            return (result, decoder.defect)
        }

        /// Indices with runs and repetitions, which make long strings, or with none.
        private func indices(_ count: Int, colors: Int, longestRun: Int, seed: UInt64) -> [UInt8] {
            var generator = SeededGenerator(seed: seed)
            var result: [UInt8] = []
            while result.count < count {
                let index = UInt8(Int.random(in: 0..<colors, using: &generator))
                let run = Int.random(in: 1...longestRun, using: &generator)
                result += [UInt8](repeating: index, count: min(run, count - result.count))
            }
            return result
        }

        @Test(arguments: [1, 2, 3, 4, 7, 16, 100, 256]) func indicesReturn(colors: Int) throws {
            for count in [1, 2, 3, 255, 5_000, 60_000] {
                for longestRun in [1, 3, 70, 40_000] {
                    let indices = indices(count, colors: colors, longestRun: longestRun, seed: UInt64(count))
                    for (clearing, lookahead) in [
                        (LZWEncoder.Clearing.whenFull, 0), (.whenWorse, 0), (.whenWorse, 2), (.whenFull, 12),
                    ] where lookahead == 0 || count < 10_000 {
                        let data = try LZWEncoder.encode(
                            LZWInput(indices: indices, colorCount: colors), clearing: clearing, lookahead: lookahead,
                            stop: nil
                        ).bytes
                        for width in [1, 100, 30_000] {
                            let (result, defect) = decoded(data, count: count, width: width)
                            #expect(result == indices, "\(count) \(longestRun) \(clearing) \(width)")
                            #expect(defect == nil)
                        }
                    }
                }
            }
        }

        /// A string of the greatest length: one index that is repeated.
        @Test func longestStringsDecodeExactly() throws {
            let indices = [UInt8](repeating: 3, count: 9_000_000)
            let data = try LZWEncoder.encode(
                LZWInput(indices: indices, colorCount: 4), clearing: .whenFull, stop: nil
            ).bytes
            #expect(decoded(data, count: indices.count, width: 65_535).0 == indices)
        }

        @Test(arguments: [2, 9, 200]) func alternativesAreUsed(colors: Int) throws {
            var generator = SeededGenerator(seed: 5)
            let indices = indices(30_000, colors: colors, longestRun: 3, seed: 5)
            let alternatives = indices.map { Bool.random(using: &generator) ? 0 : $0 }
            for (clearing, lookahead) in [(LZWEncoder.Clearing.whenFull, 0), (.whenWorse, 0), (.whenWorse, 3)] {
                var input = LZWInput(indices: indices, alternatives: alternatives, colorCount: colors)
                let data = try LZWEncoder.encode(
                    input, clearing: clearing, lookahead: lookahead, stop: nil
                ).bytes
                let (result, defect) = decoded(data, count: indices.count)
                #expect(result.count == indices.count && defect == nil)
                #expect(
                    result.indices.allSatisfy { result[$0] == indices[$0] || result[$0] == alternatives[$0] })
                input.alternatives = []
                let fixed = try LZWEncoder.encode(input, clearing: clearing, stop: nil).bytes
                input.indices = alternatives
                let other = try LZWEncoder.encode(input, clearing: clearing, stop: nil).bytes
                // Random indices of many colours have no longer strings.
                if colors < 10 { #expect(data.count < min(fixed.count, other.count)) }
            }
        }

        /// A shorter string is taken if the next one then ends later.
        @Test func lookaheadMakesFewerCodes() throws {
            let indices = (0..<40_000).map { position -> UInt8 in
                let (x, y) = (position % 200, position / 200)
                return UInt8((x * x + y * y) >> 5 & 7)
            }
            let input = LZWInput(indices: indices, colorCount: 8)
            let longest = try LZWEncoder.encode(input, clearing: .whenWorse, stop: nil)
            let chosen = try LZWEncoder.encode(input, clearing: .whenWorse, lookahead: 2, stop: nil)
            #expect(chosen.bytes.count < longest.bytes.count)
        }

        /// Data without a clear code at the start, without an end code, and with clear codes that repeat.
        @Test func unusualCodesAreDecodedOrRefused() {
            func result(_ minimumSize: UInt8, _ codes: [(Int, Int)]) -> ([UInt8], FormatDefect?) {
                var file = TestGIF(width: 1, height: 1)
                let start = file.bytes.count
                file.data(minimumSize: minimumSize, codes: codes)
                return decoded(Array(file.bytes[start...]), count: 5)
            }
            #expect(result(2, [(1, 3), (6, 3), (5, 3)]).0 == [1, 1, 1])
            #expect(result(2, [(4, 3), (4, 3), (2, 3), (5, 3)]).0 == [2])
            #expect(result(2, [(4, 3), (2, 3), (4, 3), (4, 3), (3, 3), (5, 3), (1, 3)]).0 == [2, 3])
            // One bit for each index.
            #expect(result(1, [(2, 2), (1, 2), (4, 3), (0, 3), (3, 3)]).0 == [1, 1, 1, 0])
            // Browsers read indices of more than eight bits.
            #expect(result(11, [(2048, 12), (7, 12), (9, 12)]).0 == [7, 9])
            #expect(result(0, [(0, 1)]).1 == .invalidValue(0, of: "LZW minimum code size"))
            #expect(result(12, [(0, 13)]).1 == .invalidValue(12, of: "LZW minimum code size"))
            let early = result(2, [(4, 3), (1, 3), (7, 3)])
            #expect(early.0 == [1])
            #expect(early.1 == .invalidValue(7, of: "LZW code", context: "a table of 6 codes"))
            #expect(result(2, [(4, 3), (6, 3)]).1 == .invalidValue(6, of: "LZW code", context: "the start of a table"))
        }

        /// All codes stay defined until a clear code, which may never come.
        @Test func codesStayDefinedUntilAClearCode() {
            var file = TestGIF(width: 1, height: 1)
            let start = file.bytes.count
            // 256 literals are followed by codes of pairs; from 3,838 codes on the table is full.
            var codes: [(code: Int, bits: Int)] = [(256, 9)]
            var (next, bits) = (258, 9)
            for position in 0..<9000 {
                codes.append((position & 255, bits))
                if position > 0, next < 4096 {
                    next += 1
                    if next == 1 << bits, bits < 12 { bits += 1 }
                }
            }
            codes += [(4095, 12), (257, 12)]
            file.data(minimumSize: 8, codes: codes)
            let (result, defect) = decoded(Array(file.bytes[start...]), count: 9002)
            #expect(defect == nil)
            #expect(result == (0..<9000).map { UInt8($0 & 255) } + [253, 254])
        }

        @Test func emptyAndCut() {
            #expect(decoded([], count: 5).0.isEmpty)
            #expect(decoded([8], count: 5).0.isEmpty)
            #expect(decoded([8, 0], count: 5).0.isEmpty)
            #expect(decoded([8, 200], count: 5).0.isEmpty)
            // Clear and index 1, then the file ends in the sub-block.
            #expect(decoded([2, 9, 0b0000_1100], count: 5).0 == [1])
        }
    }
#endif
