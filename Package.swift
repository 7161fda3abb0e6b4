// swift-tools-version: 6.2

import PackageDescription

// MARK: What builds differ in

// Continuous integration sets this; a user's newer compiler may warn of more.
let warningsAreErrors = Context.environment["TEXEL_WARNINGS_AS_ERRORS"] != nil
// The Makefile sets this. SwiftPM refuses unsafe flags in packages that others depend on by version, so these builds
// alone have them.
let isOwnBuild = Context.environment["TEXEL_OWN_BUILD"] != nil
// Scripts/fuzz.sh sets this: what is fuzzed needs sanitizers and a runtime that no other build has.
let isFuzzed = Context.environment["TEXEL_FUZZ"] != nil
// Checks that need few tests set this: only the named tests are built.
let testNames = Context.environment["TEXEL_TESTS"].map { Set($0.split(separator: ",").map(String.init)) }

// MARK: What modules of a kind share

let cSettings: [CSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []

// Texel's own rules for its Swift targets: Swift 6 mode, and non-escapable views (`Span`) as properties.
let commonSettings: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes"), .enableUpcomingFeature("ExistentialAny")]
    + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let librarySettings =
    commonSettings + [.enableUpcomingFeature("InternalImportsByDefault")]
    // Tests reach internal declarations, and one build serves the program and its tests.
    + (isOwnBuild ? [.unsafeFlags(["-enable-testing"])] : [])

let forSize: [SwiftSetting] = isOwnBuild ? [.unsafeFlags(["-Osize"])] : []

// Tests are not optimised, with one exception: to optimise them costs more than it saves. Reference implementations of
// loops over pixels are in TestSupport, which is optimised. Nothing imports a test module, so it is not emitted
// separately.
let testSettings: [SwiftSetting] =
    commonSettings + [
        .enableUpcomingFeature("InternalImportsByDefault"), .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"]),
    ]

// The program contains Swift's runtime: it starts faster and runs anywhere. Apple's systems have the runtime built in.
// Objects that are compiled for a shared runtime do not name the parts of FoundationEssentials.
let programLinkerSettings: [LinkerSetting] =
    isOwnBuild
    ? [
        .unsafeFlags(
            ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-Xlinker", "--no-export-dynamic"],
            .when(platforms: [.linux]))
    ] : []

// MARK: Kinds of modules

typealias Dependencies = [Target.Dependency]

/// A module with loops over pixels and bytes, optimised for speed.
func fast(_ name: String, _ dependencies: Dependencies) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: librarySettings)
}

/// A module that decides and passes on. Optimised for size, it builds faster and is smaller; jobs take as long.
func compact(_ name: String, _ dependencies: Dependencies, resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: librarySettings + forSize)
}

/// A module in C, empty without the trait if one is given.
func c(_ name: String, _ dependencies: Dependencies = [], trait: String? = nil, links: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies,
        cSettings: cSettings + (trait.map { [.define("TEXEL_\($0.uppercased())", .when(traits: [$0]))] } ?? []),
        linkerSettings: links.map { .linkedLibrary($0) })
}

/// A library of the system: a module map and a header.
func system(_ name: String, _ pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil) -> Target {
    let providers = [apt.map { SystemPackageProvider.apt([$0]) }, brew.map { .brew([$0]) }].compactMap { $0 }
    return .systemLibrary(name: name, pkgConfig: pkgConfig, providers: providers.isEmpty ? nil : providers)
}

/// Modules of one folder of `Sources`. Several have a folder each in it.
func room(_ folder: String, _ modules: Target...) -> [Target] {
    for module in modules {
        module.path = "Sources/\(folder)" + (modules.count > 1 ? "/\(module.name)" : "")
    }
    return modules
}

/// A module that tests use, in a folder of `Tests`.
func support(_ name: String, _ dependencies: Dependencies) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: librarySettings)
}

/// A program that tests run.
func helper(_ name: String, _ dependencies: Dependencies) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: librarySettings)
}

func tests(
    _ name: String, _ dependencies: Dependencies, exclude: [String] = [], resources: [Resource] = [],
    settings: [SwiftSetting] = testSettings
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

extension Target.Dependency {
    static let systemPackage = product(name: "SystemPackage", package: "swift-system")
    static let deque = product(name: "DequeModule", package: "swift-collections")
    static let heap = product(name: "HeapModule", package: "swift-collections")
    static let asyncAlgorithms = product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
    static let asyncHTTPClient = http("AsyncHTTPClient", of: "async-http-client")
    static let nioCore = http("NIOCore", of: "swift-nio")
    static let nioPosix = http("NIOPosix", of: "swift-nio")
    static let nioHTTP1 = http("NIOHTTP1", of: "swift-nio")
    static let nioSSL = http("NIOSSL", of: "swift-nio-ssl")

    private static func http(_ name: String, of package: String) -> Self {
        product(name: name, package: package, condition: .when(traits: ["HTTP"]))
    }

    /// A module that is used with a trait only.
    static func with(_ trait: String, _ name: String) -> Self {
        target(name: name, condition: .when(traits: [trait]))
    }
}

// MARK: The graph

let formats: Dependencies = [
    "TexelJPEG", "TexelPNG", "TexelPNM", "TexelBMP", "TexelQOI", .with("GIF", "TexelGIF"), .with("WebP", "TexelWebP"),
    .with("AVIF", "TexelAVIF"), .with("HEIC", "TexelHEIC"), .with("JXL", "TexelJXL"), .with("TIFF", "TexelTIFF"),
    .with("Video", "TexelVideo"),
]

// The modules whose types `import Texel` passes on. Targets that use these types through it name the modules too:
// SwiftPM compiles a target again only if a module that it names has changed, and Texel's own may not have.
let modulesOfTexel: Dependencies = [
    "TexelCore", "TexelPixels", "TexelFilters", "TexelMetrics", "TexelOperations", "TexelCodecs", "TexelFormats",
    "TexelPipeline", "TexelBatch",
]

let sources: [[Target]] = [
    room(
        "Core",
        // Errors, stopping, threads, and numbers as bytes.
        fast("TexelCore", ["PlatformLibc"]),
        // The platform's C library: Glibc, Musl or Darwin.
        fast("PlatformLibc", [])),
    room("Kernels", c("CPixelKernels")),
    // Pixels, colour and geometry.
    room("Pixels", fast("TexelPixels", ["TexelCore", "CPixelKernels", "CLittleCMS", "PlatformLibc"])),
    // Blur, sharpening, noise, blending.
    room("Filters", fast("TexelFilters", ["TexelPixels", "TexelCore", "CPixelKernels", "PlatformLibc"])),
    // What an image shows, and how much two differ.
    room("Metrics", fast("TexelMetrics", ["TexelPixels", "TexelCore", "CPixelKernels", "PlatformLibc"])),
    // One file for each operation, and the executor of their steps.
    room(
        "Operations",
        fast(
            "TexelOperations",
            ["TexelPixels", "TexelCore", "TexelFilters", "TexelMetrics", "CPixelKernels", "CSodium", "PlatformLibc"])),

    room(
        "Codecs",
        // The codec seam: protocols, registry, limits, metadata. Knows no format.
        compact("TexelCodecs", ["TexelPixels", "TexelCore", "CPixelKernels", "CCodecShims", "PlatformLibc"]),
        // The inputs, statuses and messages that fences around C libraries share.
        c("CCodecShims")),

    // A fence around a C library is with its format. Most libraries are loaded when they are first used.
    room(
        "Formats/JPEG",
        fast(
            "TexelJPEG", ["TexelCore", "TexelCodecs", "TexelPixels", "CPixelKernels", "CJPEGShim", "PlatformLibc"]),
        c("CJPEGShim", ["CCodecShims", "CJPEG", "CJPEGScan"]),
        // Decodes the usual scan of a JPEG; libjpeg, behind the fence, the rest.
        c("CJPEGScan", ["CPixelKernels"])),
    room(
        "Formats/PNG",
        fast(
            "TexelPNG",
            [
                "TexelCodecs", "TexelPixels", "TexelCore", "CPixelKernels", "CPNGShim", "CDeflate", "CDeflateBlocks",
                "CISAL",
                "CZopfli", "PlatformLibc",
            ]),
        // libpng brings zlib.
        c("CPNGShim", ["CCodecShims", "CPNG"], links: ["z"]), c("CDeflateBlocks")),
    room("Formats/GIF", fast("TexelGIF", ["TexelCore", "TexelCodecs", "TexelPixels"])),
    room(
        "Formats/WebP", compact("TexelWebP", ["TexelCore", "TexelCodecs", "TexelPixels", "CWebPShim", "CCodecShims"]),
        c("CWebPShim", ["CCodecShims"], trait: "WebP")),
    room(
        "Formats/AVIF",
        compact("TexelAVIF", ["TexelCore", "TexelCodecs", "TexelPixels", "CPixelKernels", "CAVIFShim", "CCodecShims"]),
        c("CAVIFShim", ["CCodecShims"], trait: "AVIF")),
    room(
        "Formats/HEIC",
        compact("TexelHEIC", ["TexelCodecs", "TexelPixels", "TexelCore", "CPixelKernels", "CHEICShim", "CCodecShims"]),
        c("CHEICShim", ["CCodecShims"], trait: "HEIC")),
    room(
        "Formats/JXL",
        compact(
            "TexelJXL",
            ["TexelCore", "TexelCodecs", "TexelPixels", "TexelJPEG", "CPixelKernels", "CJXLShim", "CCodecShims"]),
        c("CJXLShim", ["CCodecShims"], trait: "JXL")),
    room(
        "Formats/TIFF",
        fast("TexelTIFF", ["TexelCore", "TexelCodecs", "TexelPixels", "CPixelKernels", "CTIFFShim", "PlatformLibc"]),
        c("CTIFFShim", ["CCodecShims"], trait: "TIFF")),
    room("Formats/PNM", fast("TexelPNM", ["TexelCore", "TexelCodecs", "TexelPixels", "CPixelKernels"])),
    room("Formats/BMP", fast("TexelBMP", ["TexelCore", "TexelCodecs", "TexelPixels", "PlatformLibc"])),
    room("Formats/QOI", fast("TexelQOI", ["TexelCore", "TexelCodecs", "TexelPixels"])),
    // Videos: frames, and the image that stands for one. A format of its own for the list below.
    room(
        "Formats/Video",
        compact(
            "TexelVideo",
            [
                "TexelCodecs", "TexelPixels", "TexelCore", "TexelMetrics", "CLibAVShim", "CCodecShims", "PlatformLibc",
                .systemPackage,
            ]),
        c("CLibAVShim", ["CCodecShims"], trait: "Video")),
    // The list of the built-in codecs, and what it says about formats.
    room("Formats/TexelFormats", compact("TexelFormats", ["TexelCore", "TexelCodecs"] + formats)),

    room(
        "Pipeline",
        compact(
            "TexelPipeline",
            [
                "TexelPixels", "TexelCore", "TexelMetrics", "TexelOperations", "TexelCodecs", "TexelFormats",
                "TexelPNG",
                .with("Video", "TexelVideo"), "CIsolation", "CMappedFiles", "CExtendedAttributes", "CFileSystems",
                "PlatformLibc", .systemPackage, .deque, .heap,
            ]),
        // Drops the privileges of a process.
        c("CIsolation", [.target(name: "CSeccomp", condition: .when(platforms: [.linux]))]),
        // Keeps the process alive when a mapped file becomes shorter.
        c("CMappedFiles")),
    // Many files: finding, naming, saving, resuming.
    room(
        "Batch",
        compact(
            "TexelBatch",
            [
                "TexelPixels", "TexelCore", "TexelMetrics", "TexelOperations", "TexelCodecs", "TexelFormats",
                "TexelPipeline", "PlatformLibc", .systemPackage,
            ])),
    // What `import Texel` gives.
    room("Texel", compact("Texel", modulesOfTexel + formats + [.systemPackage])),
    // Tiles for deep zoom.
    room(
        "Pyramids",
        compact(
            "TexelPyramids",
            [
                "TexelCore", "TexelPixels", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelPipeline",
                "TexelBatch", .systemPackage,
            ])),
    // Zip and tar as folders of inputs and results; empty without the trait.
    room(
        "Archives",
        compact(
            "TexelArchives",
            [
                "TexelCore", "TexelCodecs", "TexelFormats", "TexelPipeline", "TexelBatch", "CArchiveShim",
                .systemPackage,
            ]),
        c("CArchiveShim", ["CCodecShims"], trait: "Archives")),
    // A folder whose new files are processed.
    room(
        "Watching",
        compact(
            "TexelWatching",
            [
                "TexelCore", "TexelPixels", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelPipeline",
                "TexelBatch", "PlatformLibc", .systemPackage, .deque, .heap,
            ])),
    // Three Flutter plugins in Swift.
    room("Flutter", compact("TexelFlutter", ["Texel"] + modulesOfTexel)),

    room(
        "Frames",
        compact(
            "TexelFrames",
            [
                "TexelPixels", "TexelCore", "TexelMetrics", "TexelOperations", "TexelCodecs", "TexelFormats",
                "TexelJPEG", "TexelPipeline",
                "TexelBatch", "CPixelKernels", "CFrameRing", .with("Video", "TexelVideo"), "PlatformLibc",
                .systemPackage,
            ]),
        // Frames in shared memory: the layout, as readers include it, and what Linux offers only to C.
        c("CFrameRing")),
    // Frames as textures; empty without the trait.
    room("OpenGL", fast("TexelOpenGL", ["TexelCore", "TexelFrames", "TexelPixels", .with("OpenGL", "COpenGL")])),
    // Operators on asynchronous sequences.
    room("Streams", compact("TexelStreams", [.asyncAlgorithms])),

    // Addresses as inputs; empty without the trait.
    room(
        "HTTP",
        compact(
            "TexelHTTP",
            [
                "TexelCore", "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelFormats", "PlatformLibc",
                .systemPackage,
                .asyncHTTPClient, .nioCore, .nioPosix, .nioHTTP1, .nioSSL,
            ])),
    // Text as an image, for overlays and captions.
    room(
        "Text",
        compact(
            "TexelText",
            [
                "TexelCore", "TexelPixels", "TexelFilters", "TexelOperations", "TexelCodecs", "CFreeType",
                "CFontconfig",
                .with("Shaping", "CShapingShim"),
            ]),
        c("CShapingShim", ["CCodecShims"], trait: "Shaping")),
    // Contact sheets, and pages for browsers.
    room(
        "Sheets",
        compact(
            "TexelSheets",
            [
                "TexelCore", "TexelBatch", "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelFormats",
                "TexelJPEG",
                "TexelPNG", "TexelPixels", "TexelFilters", "TexelText", "CSodium", "PlatformLibc", .systemPackage,
            ],
            // As byte arrays (`PackageResources.page_css`), so that the program stays one file and needs no Foundation.
            resources: [
                "page.css", "page.js", "gallery.css", "gallery.js", "gallery-dialog.html", "report.css", "report.js",
            ].map { .embedInCode("Resources/\($0)") })),

    // The program is its command line and a main function, so that tests and the fuzzer link the command line. A
    // program has no users, so its imports need no access levels.
    room(
        "CLI",
        .target(
            name: "TexelCLI",
            dependencies: [
                "Texel", "TexelArchives", "TexelFrames", "TexelHTTP", "TexelPyramids", "TexelSheets", "TexelText",
                "TexelWatching",
                "PlatformLibc", .systemPackage,
            ] + modulesOfTexel,
            swiftSettings: commonSettings + forSize)),
    room(
        "Program",
        .executableTarget(
            name: "TexelProgram", dependencies: ["TexelCLI"], swiftSettings: commonSettings + forSize,
            linkerSettings: programLinkerSettings)),

    room(
        "SystemLibraries",
        system("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
        system("CDeflate", "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
        system("CZopfli", apt: "libzopfli-dev", brew: "zopfli"),
        system("CISAL", "libisal", apt: "libisal-dev", brew: "isa-l"),
        system("CJPEG", "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
        system("CLittleCMS", "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
        system("CSodium", "libsodium", apt: "libsodium-dev", brew: "libsodium"),
        // Draws text; finds fonts.
        system("CFreeType", "freetype2", apt: "libfreetype-dev", brew: "freetype"),
        system("CFontconfig", "fontconfig", apt: "libfontconfig-dev", brew: "fontconfig"),
        // Filters system calls.
        system("CSeccomp", "libseccomp", apt: "libseccomp-dev"),
        // Parts of the C library that Swift's module of it lacks.
        system("CExtendedAttributes"), system("CFileSystems"),
        // Its module map names the libraries, because SwiftPM would ask pkg-config, and warn, without the trait too.
        system("COpenGL")),

    // The routes by themselves, for the benchmarks: `package` does not reach into another package.
    [
        .target(
            name: "BareRoute",
            dependencies: ["TexelPipeline", "TexelFormats", "TexelCodecs", "TexelPixels", "TexelCore", .systemPackage],
            path: "Benchmarks/Sources/BareRoute", swiftSettings: librarySettings)
    ],
]

let testSources: [Target] = [
    // Loops over whole images, which a debug build of Swift would take minutes for.
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    support(
        "TestSupport",
        [
            "TexelCore", "TexelCodecs", "TexelFormats", "TexelJPEG", "TexelPNG", "TexelOperations", "TexelPixels",
            "TexelFilters",
            "CTestSupport",
            "PlatformLibc", .systemPackage,
        ]),
    // What makes TestImages/, shared by its generator and the tests that hold the committed files against it.
    .target(
        name: "CTestImageWriting", dependencies: ["CPNG", "CPNGShim"], path: "Tests/CTestImageWriting",
        // For the fence around libpng's errors.
        cSettings: cSettings + [.headerSearchPath("../../Sources/Formats/PNG/CPNGShim")]),
    support(
        "TestImageWriting",
        ["TexelPixels", "TexelCodecs", "TexelJPEG", "TexelPNG", "CJPEGShim", "CPNGShim", "CTestImageWriting"]),
    helper("TestImageGenerator", ["TestImageWriting"]),
    // Shared by the tests of the disk cache and the program that they run several times at once and kill.
    support("CacheTestSupport", ["TexelPipeline", "TexelOperations"]),
    helper(
        "DiskCacheWriter",
        ["TexelCore", "CacheTestSupport", "TestSupport", "TexelPipeline", "PlatformLibc", .systemPackage]),
    // Drops its privileges and then makes the system calls that tests ask for.
    .executableTarget(name: "ConfinementProbe", dependencies: ["CIsolation"], path: "Tests/ConfinementProbe"),
    // A codec as a user writes one: public interfaces only. And the program with that codec.
    support("ToyCodec", ["TexelCore", "TexelCodecs", "TexelPixels"]),
    helper("ToyProgram", ["TexelCLI", "TexelCodecs", "TexelOperations", "TexelPixels", "ToyCodec"]),
    // A child program for isolation, correct or faulty as asked.
    helper("IsolationHost", ["TexelPipeline", "TexelFormats", "TexelCodecs", "ToyCodec", .systemPackage]),
    // Programs of their own, because they replace the allocator by one that counts.
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    helper(
        "FrameAllocationCounter",
        ["TexelCore", "TexelFrames", "TexelPipeline", "TexelPixels", "CAllocationCount", .systemPackage]),
    helper("DecodeLeakCounter", ["TexelCore", "TexelCodecs", "TexelFormats", "TexelPixels", "CAllocationCount"]),

    // These tests consist of loops over samples.
    tests(
        "TexelPixelsTests",
        ["TexelPixels", "TexelCore", "TexelFilters", "TexelMetrics", "CPixelKernels", "TestSupport"],
        settings: librarySettings),
    tests(
        "TexelOperationsTests",
        ["TexelCore", "TexelOperations", "TexelPixels", "TexelFilters", "TexelMetrics", "TestSupport"]),
    tests(
        "TexelCodecsTests",
        [
            "TexelCodecs", "TexelJPEG", "TexelPNG", "TexelFormats", "TexelPixels", "TexelCore", "TexelMetrics",
            "TestSupport", "TestImageWriting",
            "CPixelKernels", "CDeflate", "CDeflateBlocks", "CCodecShims",
        ],
        exclude: ["Goldens"]),
    tests(
        "TexelGIFTests",
        ["TexelCore", "TexelCodecs", "TexelFormats", "TexelPixels", "TestSupport", .with("GIF", "TexelGIF")]),
    tests(
        "TexelWebPTests",
        ["TexelCore", "TexelCodecs", "TexelPNM", "TexelPixels", "TestSupport", .with("WebP", "TexelWebP")]),
    tests(
        "TexelAVIFTests",
        ["TexelCore", "TexelCodecs", "TexelPNG", "TexelPixels", "TestSupport", .with("AVIF", "TexelAVIF")]),
    tests(
        "TexelHEICTests",
        ["TexelCore", "TexelCodecs", "TexelPNG", "TexelPixels", "TestSupport", .with("HEIC", "TexelHEIC")]),
    tests(
        "TexelJXLTests",
        [
            "TexelCore", "TexelCodecs", "TexelJPEG", "TexelPNG", "TexelFormats", "TexelPipeline", "TexelPixels",
            "TestSupport",
            .with("JXL", "TexelJXL"),
        ]),
    tests(
        "TexelTIFFTests",
        ["TexelCore", "TexelCodecs", "TexelPixels", "TexelPNG", "TestSupport", .with("TIFF", "TexelTIFF")]),
    // Three formats without a library.
    tests(
        "TexelRasterTests",
        ["TexelCore", "TexelPNM", "TexelBMP", "TexelQOI", "TexelPNG", "TexelCodecs", "TexelPixels", "TestSupport"]),
    tests(
        "TexelPipelineTests",
        [
            "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelPixels", "TexelCore", "TestSupport",
            "TestImageWriting",
            "CacheTestSupport", "DiskCacheWriter", "ConfinementProbe", "IsolationHost", "ToyCodec", "CLittleCMS",
            .systemPackage,
        ]),
    tests(
        "TexelBatchTests",
        [
            "TexelBatch", "TexelPyramids", "TexelWatching", "TexelArchives", "TexelCore", "TexelPipeline",
            "TexelOperations", "TexelCodecs", "TexelFormats", "TexelJPEG", "TexelPNG", "TexelPixels", "TestSupport",
            "CExtendedAttributes", .systemPackage,
        ]),
    tests("TexelTests", ["Texel", "TestSupport"] + modulesOfTexel),
    tests(
        "TexelFlutterTests", ["TexelFlutter", "Texel", "TestSupport"] + modulesOfTexel, resources: [.copy("Assets")]),
    tests(
        "TexelFramesTests",
        [
            "Texel", "TexelFrames", "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelPixels", "TexelCore",
            "TexelMetrics", "CFrameRing",
            "TestSupport", "ToyCodec", "PlatformLibc", .systemPackage,
        ]),
    tests(
        "TexelOpenGLTests",
        [
            "TexelOpenGL", "TexelFrames", "TexelPipeline", "TexelCodecs", "TexelPixels", "TexelCore", "TestSupport",
            .with("OpenGL", "COpenGL"),
        ]),
    tests("TexelStreamsTests", ["TexelStreams"]),
    tests(
        "TexelHTTPTests",
        [
            "TexelCore", "TexelHTTP", "TexelPipeline", "TexelCodecs", "TexelPixels", "TestSupport", "PlatformLibc",
            .systemPackage,
            .nioCore, .nioPosix, .nioSSL,
        ]),
    tests("TexelTextTests", ["TexelCore", "TexelText", "TexelOperations", "TexelPixels", "TestSupport"]),
    tests(
        "TexelSheetsTests",
        [
            "TexelCore", "TexelSheets", "TexelBatch", "TexelPipeline", "TexelText", "TexelCodecs", "TexelPixels",
            "TestSupport",
            .systemPackage,
        ]),
    // Runs the program as a child process; `swift build --build-tests` builds it too.
    tests(
        "TexelCLITests",
        ["Texel", "TexelText", "TestSupport", "ToyCodec", "ToyProgram", "PlatformLibc"] + modulesOfTexel),
]

let fuzzer: [Target] = [
    .executableTarget(
        name: "texel-fuzz",
        dependencies: ["TexelCLI", "TexelFrames", "TexelCodecs", "CPNGShim", "TestImageWriting", .systemPackage]
            + modulesOfTexel + formats,
        path: "Fuzz/Sources", swiftSettings: commonSettings)
]

let package = Package(
    name: "Texel",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Texel", targets: ["Texel"]),
        .library(name: "TexelFrames", targets: ["TexelFrames"]),
        .library(name: "TexelText", targets: ["TexelText"]),
        .library(name: "TexelArchives", targets: ["TexelArchives"]),
        .library(name: "TexelPyramids", targets: ["TexelPyramids"]),
        .library(name: "TexelFlutter", targets: ["TexelFlutter"]),
        .library(name: "TexelOpenGL", targets: ["TexelOpenGL"]),
        .library(name: "TexelStreams", targets: ["TexelStreams"]),
        .library(name: "TexelHTTP", targets: ["TexelHTTP"]),
        .executable(name: "texel", targets: ["TexelProgram"]),
        // Not for users: the kernels for the benchmarks, a package of their own, which measures them level by level.
        .library(name: "_CPixelKernels", targets: ["CPixelKernels"]),
        // Not for users: the routes without the pipeline, against which it is measured.
        .library(name: "_BareRoute", targets: ["BareRoute"]),
    ],
    traits: [
        // Formats. Most have a library that is loaded when it is first used; building needs its headers.
        .default(enabledTraits: ["GIF", "WebP", "AVIF", "HEIC", "JXL", "TIFF", "Shaping", "Video", "Archives"]),
        .trait(name: "GIF", description: "Reads and writes GIF."),
        .trait(name: "WebP", description: "Reads and writes WebP through libwebp."),
        .trait(name: "AVIF", description: "Reads and writes AVIF through libavif."),
        .trait(name: "HEIC", description: "Reads HEIC through libde265."),
        .trait(name: "JXL", description: "Reads and writes JPEG XL through libjxl."),
        .trait(name: "TIFF", description: "Reads and writes TIFF through libtiff."),
        .trait(name: "Shaping", description: "Draws text in every script through HarfBuzz and FriBidi."),
        .trait(name: "Video", description: "Reads videos through FFmpeg's libraries."),
        .trait(name: "Archives", description: "Reads and writes zip and tar as folders through libarchive."),
        .trait(
            name: "OpenGL", description: "Frames as OpenGL textures, without a window; needs EGL's and GL's headers."),
        .trait(name: "HTTP", description: "Images from http and https addresses; adds SwiftNIO."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        // Only with the trait HTTP.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: sources.flatMap { $0 }
        + testSources.filter { $0.type != .test || testNames?.contains($0.name) ?? true }
        + (isFuzzed ? fuzzer : [])
)
