import Testing
import TexelCodecs

import TexelCore
@testable import TexelPipeline

/// Bands are used in order and once each, with one thread or two; an error in either half ends both.
@Suite struct BandRelayTests {
    private final class Band {
        var number = -1
    }

    @Test(arguments: [1, 2, 3], [true, false]) func orderIsKept(bandCount: Int, isParallel: Bool) throws {
        for total in [0, 1, 2, 7, 500] {
            let bands = (0..<bandCount).map { _ in Band() }
            var filled = 0
            var used: [Int] = []
            try BandRelay.run(bands, isParallel: isParallel) { band in
                guard filled < total else { return false }
                band.number = filled
                filled += 1
                return true
            } use: { band in
                used.append(band.number)
            }
            #expect(used == Array(0..<total))
        }
    }

    @Test(arguments: [true, false]) func errorsOfTheFiller(isParallel: Bool) {
        var used = 0
        var filled = 0
        #expect(throws: TexelError.empty) {
            try BandRelay.run([Band(), Band()], isParallel: isParallel) { _ throws(TexelError) in
                if filled == 5 { throw .empty }
                filled += 1
                return true
            } use: { _ in
                used += 1
            }
        }
        // Bands that were filled before the error are used, because their rows are valid.
        #expect(used == 5)
    }

    @Test(arguments: [true, false]) func errorsOfTheUser(isParallel: Bool) {
        var used = 0
        #expect(throws: TexelError.outOfMemory) {
            try BandRelay.run([Band(), Band(), Band()], isParallel: isParallel) { _ in
                true
            } use: { _ throws(TexelError) in
                used += 1
                if used == 4 { throw .outOfMemory }
            }
        }
        #expect(used == 4)
    }
}
