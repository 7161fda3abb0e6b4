#if os(Linux)
    import Foundation
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCore
    import TexelOperations
    import TexelPNG
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelPipeline

    /// Compromised children that send false replies. Each of them is only an error of one image.
    @Suite(.timeLimit(.minutes(30))) struct LyingChildTests {
        /// A message with its length, as sent through a channel.
        private func said(_ reply: IsolatedReply) throws -> [UInt8] {
            let body = try MessageEncoder.encode(reply)
            return withUnsafeBytes(of: UInt64(body.count).littleEndian) { Array($0) } + body
        }

        private func child(_ answers: [[UInt8]]) throws -> ChildProcess {
            let words = ([try said(.ready)] + answers).map { $0.map { String(format: "%02x", $0) }.joined() }
            return try ChildProcess(
                FilePath(Program.built("IsolationHost")), arguments: ["liar"] + words,
                processorTime: .seconds(60))
        }

        /// The first child of this isolation sends these replies to any requests.
        private func isolation(_ replies: IsolatedReply...) throws -> Isolation {
            Isolation(Isolation.Configuration(), idle: [try child(replies.map { try said($0) })])
        }

        private static let image = Result {
            try PixelBuffer.smooth(PixelSize(width: 32, height: 20)).encoded(as: .png(PNGOptions(effort: .fast)))
        }

        private func open(_ isolation: Isolation) throws -> IsolatedFile {
            try isolation.open(InputBytes(Self.image.get()), Limits(), StopToken())
        }

        private func info() throws -> ImageInfo { try CodecRegistry.shared.open(InputBytes(Self.image.get())).info }

        /// A partial reply does not block the caller.
        @Test(arguments: [[], [1], [1, 0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0, 7, 1]] as [[UInt8]])
        func partialRepliesDoNotBlockTheCaller(beginning: [UInt8]) throws {
            let child = try child([beginning])
            let input = try IsolatedInput(InputBytes([1, 2, 3]), Isolation())
            let stop = StopToken()
            stop.cancel()
            #expect(throws: TexelError.stopped(.cancelled)) {
                try child.reply(to: .header(limits: Limits()), about: input, stop)
            }
            #expect(!child.isUsable)
        }

        @Test func invalidMessagesAreRefused() throws {
            let lies: [[UInt8]] = [
                Array(repeating: 0xFF, count: 8), [1, 0, 0, 0, 0, 0, 0, 0, 0xFF], [0, 0, 0, 0, 0, 0, 0, 0],
                [2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            ]
            let input = try IsolatedInput(InputBytes([1, 2, 3]), Isolation())
            for lie in lies {
                let child = try child([lie])
                #expect(throws: TexelError.invalidReply, "\(lie)") {
                    try child.reply(to: .header(limits: Limits()), about: input, StopToken())
                }
                #expect(!child.isUsable)
            }
        }

        @Test func headersThatCannotBe() throws {
            #expect(try open(isolation(.header(try info()))).info == info())
            var impossible = try info()
            impossible.size.width = -1
            for lie in [IsolatedReply.header(impossible), .ready, .results([])] {
                let isolation = try isolation(lie)
                #expect(throws: TexelError.invalidReply) { try open(isolation) }
            }
        }

        /// Progress is reported whatever the number of its order.
        @Test(arguments: [(-1, 5), (6, 5), (0, -1), (5, 5)])
        func impossibleProgressEndsTheChild(rowsDone: Int, rowCount: Int) throws {
            let reply = IsolatedReply.progress(7, rowsDone: rowsDone, rowCount: rowCount)
            let child = try child([try said(reply) + said(.results([]))])
            let input = try IsolatedInput(InputBytes([1, 2, 3]), Isolation())
            var reports = 0
            func ask() throws {
                guard
                    case .results = try child.reply(
                        to: .header(limits: Limits()), about: input, StopToken(), report: { _, _ in reports += 1 })
                else { throw MessageError() }
            }
            if rowsDone == rowCount {
                try ask()
                #expect(reports == 1)
            } else {
                #expect(throws: TexelError.invalidReply) { try ask() }
                #expect(reports == 0 && !child.isUsable)
            }
        }

        /// A trim cannot keep more than the image.
        @Test func contentThatIsNotThere() throws {
            let size = PixelSize(width: 32, height: 20)
            let search = try #require(TrimSearch(Recipe().trimming(), for: try info(), to: .pixels))
            let plan = try Planner.plan(search.recipe, for: try info(), to: search.result)
            let order = IsolatedWork.Order(recipe: search.recipe, result: search.result, shrink: 1)
            let work = IsolatedWork(orders: [order], policy: DecodePolicy())
            func found(_ reply: IsolatedReply) throws -> TrimOperation.Finding {
                let isolation = try isolation(reply)
                let input = try IsolatedInput(InputBytes(Self.image.get()), isolation)
                let results = try isolation.carryOut(work, on: input, formats: [], StopToken()) {
                    _, head, results throws(TexelError) in
                    try TrimOperation.Finding.read(head, &results, plan)
                }
                return try #require(results.first).get()
            }
            func reply(_ finding: TrimOperation.Finding) throws -> IsolatedReply {
                .results([.made(try MessageEncoder.encode(finding))])
            }
            for rectangle in [PixelRectangle(covering: size), PixelRectangle(x: 31, y: 19, width: 1, height: 1)] {
                #expect(try found(try reply(.content(rectangle))) == .content(rectangle))
            }
            #expect(try found(try reply(.onlyBackground)) == .onlyBackground)
            let lies = [
                try reply(.content(PixelRectangle(x: 1, y: 0, width: 32, height: 20))),
                try reply(.content(PixelRectangle(x: 0, y: 0, width: 0, height: 20))),
                try reply(.content(PixelRectangle(x: -1, y: 0, width: 3, height: 3))), .ready, .results([]),
            ]
            for lie in lies {
                #expect(throws: TexelError.invalidReply) { try found(lie) }
            }
        }

        /// Missing or excess results take no memory.
        @Test func resultsThatAreNotThere() throws {
            let image = EncodedImage(
                .memory([]), size: PixelSize(width: 32, height: 20), format: .png, route: .buffered, isKept: false,
                warnings: [])
            let order = IsolatedWork.Order(recipe: Recipe(), result: .file(.png), shrink: 1)
            let work = IsolatedWork(orders: [order], policy: DecodePolicy(strictness: .warning))
            let plan = try Planner.plan(Recipe(), for: try info(), to: .file(.png))
            func result(byteCount: Int) throws -> IsolatedReply.Outcome {
                .made(try MessageEncoder.encode(EncodedImage.Head(image: image, byteCount: byteCount)))
            }
            let pixels = PixelBuffer.Head(size: image.size, alphaMode: .opaque, colorSpace: .sRGB)
            let one = try result(byteCount: 1)
            let lies: [[IsolatedReply.Outcome]] = [
                [one], [], [one, one], [try result(byteCount: .max)], [try result(byteCount: -1)], [.made([])],
                [.made(try MessageEncoder.encode(pixels))],
            ]
            for lie in lies {
                let isolation = try isolation(.header(try info()), .results(lie))
                let input = try open(isolation).input
                #expect(throws: TexelError.invalidReply) {
                    let results = try isolation.carryOut(work, on: input, formats: [], StopToken()) {
                        _, head, results throws(TexelError) in
                        try EncodedImage.read(head, &results, plan)
                    }
                    for result in results { _ = try result.get() }
                }
            }
        }
    }
#endif
