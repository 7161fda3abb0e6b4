#if os(Linux)
    import Foundation
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelFormats
    import TexelJPEG
    import TexelOperations
    import TexelPNG
    import TexelPixels

    @testable import TexelPipeline

    /// Images decoded by child processes.
    @Suite(.timeLimit(.minutes(30))) struct IsolationTests {
        private let isolation: Isolation
        private let pipeline: ImagePipeline
        /// A pipeline without children.
        private let plain = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))

        init() {
            var configuration = Isolation.Configuration()
            configuration.program = FilePath(Program.built("IsolationHost"))
            configuration.requestsPerChild = 50
            isolation = Isolation(configuration)
            pipeline = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20, isolation: isolation))
        }

        private func request(_ bytes: [UInt8], _ recipe: Recipe = Recipe()) -> ImageRequest {
            ImageRequest(BytesSource(bytes), recipe: recipe)
        }

        private static let recipes: [Recipe] = [
            Recipe(), Recipe().resizing(width: 20), Recipe().rotating(by: 90), Recipe().rotating(by: 10),
            Recipe().encoding(as: .jpeg, quality: 60, effort: .best), Recipe().keepingMetadata(.all),
            Recipe().cropping(to: PixelRectangle(x: 16, y: 16, width: 32, height: 16)),
            Recipe().resizing(width: 24, height: 24, fit: .cover).encoding(as: .png),
            Recipe().trimming(tolerance: 60), Recipe().rotating(by: 30).trimming().resizing(width: 20),
        ]

        /// Compares files and pixels, or the errors.
        @Test func everyTestImageComesToTheSame() async throws {
            for (index, file) in TestFolders.files(below: TestFolders.testImages).enumerated() {
                let bytes = try TestFolders.testImage(file.lastPathComponent)
                // Two of the recipes for each image, in turn.
                for number in 2 * index...2 * index + 1 {
                    let request = request(bytes, Self.recipes[number % Self.recipes.count])
                    let (expected, isolated) = (
                        await result { () throws(TexelError) in try await plain.encodedImage(for: request) },
                        await result { () throws(TexelError) in try await pipeline.encodedImage(for: request) }
                    )
                    switch (expected, isolated) {
                    case (.success(let expected), .success(let isolated)):
                        #expect(isolated.bytes == expected.bytes, "\(file.lastPathComponent)")
                        #expect(isolated.size == expected.size && isolated.route == expected.route)
                        #expect(isolated.isKept == expected.isKept && isolated.warnings == expected.warnings)
                    case (.failure(let expected), .failure(let isolated)):
                        #expect(isolated == expected, "\(file.lastPathComponent)")
                    default: Issue.record("\(file.lastPathComponent): \(expected) became \(isolated)")
                    }
                }
                let image = await result { () throws(TexelError) in
                    try await pipeline.image(for: request(bytes, Self.recipes[1]))
                }
                let expected = await result { () throws(TexelError) in
                    try await plain.image(for: request(bytes, Self.recipes[1]))
                }
                #expect((try? image.get().pixels) == (try? expected.get().pixels))
                #expect((try? image.get().colorSpace) == (try? expected.get().colorSpace))
            }
            #expect(isolation.startedCount > 1)
        }

        private func result<Value>(
            _ body: () async throws(TexelError) -> Value
        ) async -> Result<Value, TexelError> {
            do { return .success(try await body()) } catch { return .failure(error) }
        }

        @Test(arguments: ImageFormat.tested) func severalSizesEqualPlainResults(format: ImageFormat) async throws {
            let image = try PixelBuffer.smooth(PixelSize(width: 320, height: 200))
            let encoding = try #require(format.encoding(EncodingSettings(quality: 80, effort: .fast)))
            let bytes = try image.encoded(as: encoding)
            let recipes = [160, 80, 33].map { Recipe().resizing(width: $0) }
            let isolated = try await pipeline.encodedImages(for: request(bytes), recipes: recipes)
            let expected = try await plain.encodedImages(for: request(bytes), recipes: recipes)
            #expect(isolated.map(\.bytes) == expected.map(\.bytes))
            let images = try await pipeline.images(for: request(bytes), recipes: recipes)
            #expect(images.map(\.size.width) == [160, 80, 33])
        }

        @Test func limitsHoldInChildren() async throws {
            let image = try PixelBuffer.smooth(PixelSize(width: 320, height: 200))
            var request = request(try image.encoded(as: .png(PNGOptions(effort: .fast))))
            request.policy.limits.pixels = 1000
            await #expect(throws: TexelError.limitExceeded(.pixels, value: 64_000, allowed: 1000)) {
                try await pipeline.image(for: request)
            }
            request.policy.limits = Limits()
            request.policy.limits.inputBytes = 10
            await #expect(throws: TexelError.self) { try await pipeline.image(for: request) }
        }

        // MARK: The scope

        /// A format that is decoded in children unless the program decides otherwise; `nil` in builds without one.
        static let risky = CodecRegistry.builtIn.first { $0.capabilities.prefersIsolation && $0.capabilities.writes }

        private func riskyImage(_ size: PixelSize = PixelSize(width: 320, height: 200)) throws -> [UInt8] {
            let encoding = try #require(Self.risky?.format.encoding(EncodingSettings(quality: 80, effort: .fast)))
            return try PixelBuffer.smooth(size).encoded(as: encoding)
        }

        private func selective() -> (isolation: Isolation, pipeline: ImagePipeline) {
            var configuration = Isolation.Configuration()
            configuration.program = FilePath(Program.built("IsolationHost"))
            configuration.scope = .riskyFormats
            let isolation = Isolation(configuration)
            return (
                isolation, ImagePipeline(workers: WorkerPool(width: 1, byteBudget: 64 << 20, isolation: isolation))
            )
        }

        /// Formats of large C libraries are decoded in children, others and all headers in this process.
        @Test(.enabled(if: risky != nil)) func onlyRiskyFormats() async throws {
            let (isolation, pipeline) = selective()
            for name in ["gray.jpg", "wide-gamut-profile.png"] {
                _ = try await pipeline.encodedImage(
                    for: request(try TestFolders.testImage(name), Recipe().resizing(width: 8)))
            }
            #expect(isolation.startedCount == 0)

            let bytes = try riskyImage()
            let recipes = [Recipe().resizing(width: 20), Recipe().encoding(as: .png, effort: .fast), Recipe()]
            for recipe in recipes {
                let isolated = try await pipeline.encodedImage(for: request(bytes, recipe))
                let expected = try await plain.encodedImage(for: request(bytes, recipe))
                #expect(isolated.bytes == expected.bytes && isolated.route == expected.route)
            }
            let sizes = [160, 80].map { Recipe().resizing(width: $0) }
            let isolated = try await pipeline.encodedImages(for: request(bytes), recipes: sizes)
            #expect(
                isolated.map(\.bytes)
                    == (try await plain.encodedImages(for: request(bytes), recipes: sizes)).map(\.bytes))
            #expect(isolation.startedCount == 1)
        }

        /// Bytes that arrive are complete before a child gets them.
        @Test(.enabled(if: risky != nil)) func riskyFormatsThatArrive() async throws {
            let (isolation, pipeline) = selective()
            let bytes = try riskyImage()
            let halves = [Array(bytes.prefix(bytes.count / 2)), Array(bytes.dropFirst(bytes.count / 2))]
            let source = StreamSource(
                AsyncStream { continuation in
                    for half in halves { continuation.yield(half) }
                    continuation.finish()
                })
            let image = try await pipeline.image(for: ImageRequest(source))
            #expect(image.pixels == (try await plain.image(for: request(bytes))).pixels)
            #expect(isolation.startedCount == 1)
        }

        /// A child without a format's library is replaced by one with it, which is used from then on.
        @Test(.enabled(if: risky != nil)) func librariesOfChildren() async throws {
            var configuration = Isolation.Configuration()
            configuration.program = FilePath(Program.built("IsolationHost"))
            let isolation = Isolation(configuration)
            let pipeline = ImagePipeline(workers: WorkerPool(width: 1, byteBudget: 64 << 20, isolation: isolation))
            let format = try #require(Self.risky?.format)
            let gray = try TestFolders.testImage("gray.jpg")
            _ = try await pipeline.image(for: request(gray))
            #expect(isolation.startedCount == 1)
            let written = try await pipeline.encodedImage(for: request(gray, Recipe().encoding(as: format)))
            _ = try await pipeline.image(for: request(written.bytes))
            _ = try await pipeline.image(for: request(gray))
            #expect(isolation.startedCount == 2 && isolation.idleProcesses.count == 1)
        }

        /// Rows that a child has finished are reported here.
        @Test func progressOfChildren() throws {
            let child = try child()
            let image = try PixelBuffer.noise(PixelSize(width: 1000, height: 800), alphaMode: .opaque)
            let input = try IsolatedInput(
                InputBytes(try image.encoded(as: .png(PNGOptions(effort: .fast)))), isolation)
            let order = IsolatedWork.Order(
                recipe: Recipe().encoding(as: .png, effort: .balanced), result: .file(.png), shrink: 1)
            let work = IsolatedWork(orders: [order], policy: DecodePolicy(), threads: 2)
            var reports: [RowProgress] = []
            let reply = try child.reply(to: .work(work), about: input, StopToken()) { index, progress in
                #expect(index == 0)
                reports.append(progress)
            }
            guard case .results(let outcomes) = reply else { throw MessageError() }
            #expect(outcomes.count == 1 && !reports.isEmpty)
            #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.rowsDone <= $1.rowsDone })
        }

        @Test func emptyFilesAreRefused() async {
            await #expect(throws: TexelError.empty) { try await pipeline.image(for: request([])) }
        }

        // MARK: Ends of children

        private func child(_ program: String = "IsolationHost") throws -> ChildProcess {
            try ChildProcess(
                FilePath(Program.built(program)), arguments: ["texel-isolated-child", "\(4 << 30)", "60"],
                processorTime: .seconds(60))
        }

        @Test(arguments: [
            (SIGSEGV, TexelError.childEnded(signal: SIGSEGV)), (SIGKILL, .childEnded(signal: SIGKILL)),
            (SIGSYS, .forbiddenSystemCall), (SIGXCPU, .childTimedOut(after: .seconds(60))),
        ]) func endedChildFailsTheRequestWithReason(signal: Int32, error: TexelError) throws {
            let child = try child()
            kill(child.process, signal)
            let input = try IsolatedInput(InputBytes([1, 2, 3]), isolation)
            #expect(throws: error) {
                try child.reply(to: .header(limits: Limits()), about: input, StopToken())
            }
            #expect(!child.isUsable)
        }

        /// A child that ends while it is idle causes no error.
        @Test func idleChildrenMayEnd() async throws {
            let bytes = try PixelBuffer.smooth(PixelSize(width: 32, height: 20)).encoded(
                as: .png(PNGOptions(effort: .fast)))
            _ = try await pipeline.image(for: request(bytes))
            let idle = isolation.idleProcesses
            #expect(!idle.isEmpty)
            for process in idle { kill(process, SIGKILL) }
            _ = try await pipeline.image(for: request(bytes, Recipe().resizing(width: 5)))
            #expect(isolation.startedCount > idle.count)
        }

        @Test func childrenAreUsedAgainAndReplaced() async throws {
            let bytes = try PixelBuffer.smooth(PixelSize(width: 32, height: 20)).encoded(
                as: .png(PNGOptions(effort: .fast)))
            for width in 1...20 { _ = try await pipeline.image(for: request(bytes, Recipe().resizing(width: width))) }
            #expect(isolation.startedCount <= 2)
            for width in 1...60 {
                _ = try await pipeline.encodedImage(for: request(bytes, Recipe().resizing(width: width)))
            }
            #expect((2...6).contains(isolation.startedCount))
        }

        /// A request that takes too long is killed, and the next image gets another child.
        @Test func slowChildrenAreKilledAndReplaced() async throws {
            let image = try PixelBuffer.noise(PixelSize(width: 1500, height: 1000), alphaMode: .opaque)
            let bytes = try image.encoded(as: .png(PNGOptions(effort: .fast)))
            var long = request(bytes, Recipe().encoding(as: .png, effort: .best))
            long.timeout = .milliseconds(200)
            await #expect(throws: TexelError.stopped(.timedOut)) {
                try await pipeline.encodedImage(for: long)
            }
            let size = try await pipeline.image(for: request(bytes, Recipe().resizing(width: 10))).size
            #expect(size.width == 10)
        }

        @Test func programsThatAreNoChild() throws {
            #expect(throws: TexelError.notAChildProgram("/bin/true")) {
                try ChildProcess("/bin/true", arguments: [], processorTime: .seconds(1))
            }
            #expect(throws: TexelError.childNotStarted(.noSuchFileOrDirectory)) {
                try ChildProcess("/nowhere", arguments: [], processorTime: .seconds(1))
            }
        }

        /// A program that never replies, such as a server that does not check whether it is a child.
        @Test func programsThatSayNothing() throws {
            func start(_ stop: StopToken, patience: Duration) throws {
                _ = try ChildProcess(
                    "/bin/sleep", arguments: ["1000000"], processorTime: .seconds(1), stop: stop, patience: patience)
            }
            #expect(throws: TexelError.notAChildProgram("/bin/sleep")) {
                try start(StopToken(), patience: .zero)
            }
            let stop = StopToken()
            stop.cancel()
            #expect(throws: TexelError.stopped(.cancelled)) {
                try start(stop, patience: .seconds(1_000_000))
            }
        }

        /// Too little memory is an error of one image only.
        @Test func memoryHasAnEnd() async throws {
            var configuration = Isolation.Configuration()
            configuration.program = FilePath(Program.built("IsolationHost"))
            configuration.memoryBytes = 300 << 20
            let small = ImagePipeline(
                workers: WorkerPool(width: 1, byteBudget: 1 << 30, isolation: Isolation(configuration)))
            let image = try PixelBuffer(width: 6000, height: 6000, filledWith: 0xFF00_FF00, alphaMode: .opaque)
            let bytes = try image.encoded(as: .png(PNGOptions(effort: .fast)))
            await #expect(throws: TexelError.self) {
                try await small.image(for: request(bytes, Recipe().rotating(by: 1)))
            }
            let size = try await small.image(for: request(bytes, Recipe().resizing(width: 10))).size
            #expect(size.width == 10)
        }

        /// A child finds its descriptors, whatever numbers they have in this process.
        @Test func childrenOfProgramsWithManyDescriptors() throws {
            let bytes = InputBytes(try TestFolders.testImage("gray.jpg"))
            let order = IsolatedWork.Order(recipe: Recipe().resizing(width: 8), result: .file(.png), shrink: 1)
            let work = IsolatedWork(orders: [order], policy: DecodePolicy(strictness: .warning))
            var opened: [FileDescriptor] = []
            defer { for descriptor in opened { try? descriptor.close() } }
            func open() throws -> CInt {
                let descriptor = try FileDescriptor.open("/dev/null", .readOnly)
                opened.append(descriptor)
                return descriptor.rawValue
            }
            // No numbers below 55 are free; other tests open and close theirs meanwhile.
            while try open() < 55 {}
            repeat {
                let isolation = Isolation(Isolation.Configuration(), idle: [try child()])
                let file = try isolation.open(bytes, Limits(), StopToken())
                let plan = try Planner.plan(order.recipe, for: file.info, to: order.result)
                let results = try isolation.carryOut(work, on: file.input, formats: [], StopToken()) {
                    _, head, results throws(TexelError) in
                    try EncodedImage.read(head, &results, plan)
                }
                #expect(try #require(results.first).get().size == plan.outputSize)
            } while try open() < 75
        }

        /// A child has only the descriptors it was given: none of this process's others, and none of an earlier
        /// request.
        @Test func descriptorsOfAChild() throws {
            let child = try child()
            let input = try IsolatedInput(InputBytes(try TestFolders.testImage("gray.jpg")), isolation)
            for _ in 0..<3 { _ = try child.reply(to: .header(limits: Limits()), about: input, StopToken()) }
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.process)/fd")
            #expect(Set(names) == ["0", "1", "2", "3", "4"])
        }
    }
#endif
