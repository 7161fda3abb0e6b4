// swift-tools-version: 6.2

import PackageDescription

// Continuous integration sets this; a user's newer compiler may warn of more.
let warningsAreErrors = Context.environment["TEXEL_WARNINGS_AS_ERRORS"] != nil

// Texel's own rules for its Swift targets: Swift 6 mode, and non-escapable views (`Span`) as properties.
let commonSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableExperimentalFeature("Lifetimes"),
        .enableUpcomingFeature("ExistentialAny"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let cSettings: [CSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []

// The Makefile sets this. SwiftPM refuses unsafe flags in packages that others depend on by version, so these builds
// alone have them.
let isOwnBuild = Context.environment["TEXEL_OWN_BUILD"] != nil

// Tests reach internal declarations, and one build serves the program and its tests.
let testable: [SwiftSetting] = isOwnBuild ? [.unsafeFlags(["-enable-testing"])] : []

// Modules with loops over pixels and bytes, optimised for speed.
let swiftSettings = commonSettings + [.enableUpcomingFeature("InternalImportsByDefault")] + testable

// Modules that decide and pass on. Optimised for size, they build faster and are smaller; jobs take as long.
let compactSettings = swiftSettings + (isOwnBuild ? [.unsafeFlags(["-Osize"])] : [])

// A program has no users, so its imports need no access levels.
let programSettings = commonSettings + (isOwnBuild ? [.unsafeFlags(["-Osize"])] : [])

// The program contains Swift's runtime: it starts faster and runs anywhere. Apple's systems have the runtime built in.
// Objects that are compiled for a shared runtime do not name the parts of FoundationEssentials.
let programLinkerSettings: [LinkerSetting] =
    isOwnBuild
    ? [
        .unsafeFlags(
            ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-Xlinker", "--no-export-dynamic"],
            .when(platforms: [.linux]))
    ] : []

// Tests are not optimised, with one exception: to optimise them costs more than it saves. Reference implementations of
// loops over pixels are in TestSupport, which is optimised. Nothing imports a test module, so it is not emitted
// separately.
let testSettings: [SwiftSetting] =
    commonSettings + [
        .enableUpcomingFeature("InternalImportsByDefault"), .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"]),
    ]

// The modules whose types `import Texel` passes on. Targets that use these types through it name the modules too:
// SwiftPM compiles a target again only if a module that it names has changed, and Texel's own may not have.
let modulesOfTexel: [Target.Dependency] = [
    "TexelPixels", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelPipeline", "TexelBatch",
]

let package = Package(
    name: "Texel",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Texel", targets: ["Texel"]),
        .library(name: "TexelFrames", targets: ["TexelFrames"]),
        .library(name: "TexelText", targets: ["TexelText"]),
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
        .default(enabledTraits: ["GIF", "WebP", "AVIF", "HEIC", "JXL", "TIFF", "Shaping", "Video"]),
        .trait(name: "GIF", description: "Reads and writes GIF."),
        .trait(name: "WebP", description: "Reads and writes WebP through libwebp."),
        .trait(name: "AVIF", description: "Reads and writes AVIF through libavif."),
        .trait(name: "HEIC", description: "Reads HEIC through libde265."),
        .trait(name: "JXL", description: "Reads and writes JPEG XL through libjxl."),
        .trait(name: "TIFF", description: "Reads and writes TIFF through libtiff."),
        .trait(name: "Shaping", description: "Draws text in every script through HarfBuzz and FriBidi."),
        .trait(name: "Video", description: "Reads videos through FFmpeg's libraries."),
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
    targets: [
        // System libraries: a module map and a shim header each.
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(name: "CZopfli", providers: [.apt(["libzopfli-dev"]), .brew(["zopfli"])]),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CLittleCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        // Draws text; finds fonts.
        .systemLibrary(
            name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"]), .brew(["freetype"])]),
        .systemLibrary(
            name: "CFontconfig", pkgConfig: "fontconfig",
            providers: [.apt(["libfontconfig-dev"]), .brew(["fontconfig"])]),
        // Filters system calls.
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // Extended attributes of files, which Swift's module of the C library lacks.
        .systemLibrary(name: "CExtendedAttributes"),
        .systemLibrary(name: "CFileSystems"),
        // Its module map names the libraries, because SwiftPM would ask pkg-config, and warn, without the trait too.
        .systemLibrary(name: "COpenGL"),

        // Plain C: the setjmp fences and the hot loops. The fences share the form of inputs, statuses and messages.
        .target(name: "CCodecShims", cSettings: cSettings),
        // Decodes the usual scan of a JPEG; libjpeg, behind the fence, the rest.
        .target(name: "CJPEGScan", dependencies: ["CPixelKernels"], cSettings: cSettings),
        .target(name: "CJPEGShim", dependencies: ["CCodecShims", "CJPEG", "CJPEGScan"], cSettings: cSettings),
        // libpng brings zlib.
        .target(
            name: "CPNGShim", dependencies: ["CCodecShims", "CPNG"], cSettings: cSettings,
            linkerSettings: [.linkedLibrary("z")]),
        // Libraries that are loaded when they are first used. Empty without their trait.
        .target(
            name: "CWebPShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_WEBP", .when(traits: ["WebP"]))]),
        .target(
            name: "CAVIFShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_AVIF", .when(traits: ["AVIF"]))]),
        .target(
            name: "CHEICShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_HEIC", .when(traits: ["HEIC"]))]),
        .target(
            name: "CJXLShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_JXL", .when(traits: ["JXL"]))]),
        .target(
            name: "CTIFFShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_TIFF", .when(traits: ["TIFF"]))]),
        .target(
            name: "CShapingShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_SHAPING", .when(traits: ["Shaping"]))]),
        .target(
            name: "CLibAVShim", dependencies: ["CCodecShims"],
            cSettings: cSettings + [.define("TEXEL_VIDEO", .when(traits: ["Video"]))]),
        .target(name: "CPixelKernels", cSettings: cSettings),
        .target(name: "CDeflateBlocks", cSettings: cSettings),
        // Frames in shared memory: the layout, as readers include it, and what Linux offers only to C.
        .target(name: "CFrameRing", cSettings: cSettings),

        // Keeps the process alive when a mapped file becomes shorter.
        .target(name: "CMappedFiles", cSettings: cSettings),
        // Drops the privileges of a process.
        .target(
            name: "CIsolation", dependencies: [.target(name: "CSeccomp", condition: .when(platforms: [.linux]))],
            cSettings: cSettings),

        // The platform's C library: Glibc, Musl or Darwin.
        .target(name: "PlatformLibc", swiftSettings: swiftSettings),

        .target(
            name: "TexelPixels", dependencies: ["CPixelKernels", "CLittleCMS", "PlatformLibc"],
            swiftSettings: swiftSettings),
        // The codec seam: protocols, registry, limits, metadata. Knows no format.
        .target(
            name: "TexelCodecs", dependencies: ["TexelPixels", "CPixelKernels", "CCodecShims", "PlatformLibc"],
            swiftSettings: compactSettings),
        // One target per format.
        .target(
            name: "TexelJPEG",
            dependencies: ["TexelCodecs", "TexelPixels", "CPixelKernels", "CJPEGShim", "PlatformLibc"],
            swiftSettings: swiftSettings),
        .target(
            name: "TexelPNG",
            dependencies: [
                "TexelCodecs", "TexelPixels", "CPixelKernels", "CPNGShim", "CDeflate", "CDeflateBlocks", "CISAL",
                "CZopfli", "PlatformLibc",
            ],
            swiftSettings: swiftSettings),
        .target(name: "TexelGIF", dependencies: ["TexelCodecs", "TexelPixels"], swiftSettings: swiftSettings),
        .target(
            name: "TexelWebP", dependencies: ["TexelCodecs", "TexelPixels", "CWebPShim", "CCodecShims"],
            swiftSettings: compactSettings),
        .target(
            name: "TexelAVIF",
            dependencies: ["TexelCodecs", "TexelPixels", "CPixelKernels", "CAVIFShim", "CCodecShims"],
            swiftSettings: compactSettings),
        .target(
            name: "TexelHEIC",
            dependencies: ["TexelCodecs", "TexelPixels", "CPixelKernels", "CHEICShim", "CCodecShims"],
            swiftSettings: compactSettings),
        .target(
            name: "TexelJXL",
            dependencies: ["TexelCodecs", "TexelPixels", "TexelJPEG", "CPixelKernels", "CJXLShim", "CCodecShims"],
            swiftSettings: compactSettings),
        .target(
            name: "TexelTIFF",
            dependencies: ["TexelCodecs", "TexelPixels", "CPixelKernels", "CTIFFShim", "PlatformLibc"],
            swiftSettings: swiftSettings),
        .target(
            name: "TexelPNM", dependencies: ["TexelCodecs", "TexelPixels", "CPixelKernels"],
            swiftSettings: swiftSettings),
        .target(
            name: "TexelBMP", dependencies: ["TexelCodecs", "TexelPixels", "PlatformLibc"],
            swiftSettings: swiftSettings),
        .target(name: "TexelQOI", dependencies: ["TexelCodecs", "TexelPixels"], swiftSettings: swiftSettings),
        // Videos: frames, and the image that stands for one. A format of its own for the list below.
        .target(
            name: "TexelVideo",
            dependencies: [
                "TexelCodecs", "TexelPixels", "CLibAVShim", "CCodecShims", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: compactSettings),
        // The list of the built-in codecs, and what it says about formats.
        .target(
            name: "TexelFormats",
            dependencies: [
                "TexelCodecs", "TexelJPEG", "TexelPNG", "TexelPNM", "TexelBMP", "TexelQOI",
                .target(name: "TexelGIF", condition: .when(traits: ["GIF"])),
                .target(name: "TexelWebP", condition: .when(traits: ["WebP"])),
                .target(name: "TexelAVIF", condition: .when(traits: ["AVIF"])),
                .target(name: "TexelHEIC", condition: .when(traits: ["HEIC"])),
                .target(name: "TexelJXL", condition: .when(traits: ["JXL"])),
                .target(name: "TexelTIFF", condition: .when(traits: ["TIFF"])),
                .target(name: "TexelVideo", condition: .when(traits: ["Video"])),
            ],
            swiftSettings: compactSettings),

        // Operators on asynchronous sequences.
        .target(
            name: "TexelStreams",
            dependencies: [.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")],
            swiftSettings: compactSettings),

        // One file for each operation, and the executor of their steps.
        .target(
            name: "TexelOperations", dependencies: ["TexelPixels", "CPixelKernels", "CSodium", "PlatformLibc"],
            swiftSettings: swiftSettings),
        .target(
            name: "TexelPipeline",
            dependencies: [
                "TexelPixels", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelPNG",
                .target(name: "TexelVideo", condition: .when(traits: ["Video"])), "CIsolation",
                "CMappedFiles", "CExtendedAttributes", "CFileSystems", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: compactSettings),
        // Many files: finding, naming, saving, resuming, watching.
        .target(
            name: "TexelBatch",
            dependencies: [
                "TexelPixels", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelPipeline", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: compactSettings),
        .target(
            name: "Texel",
            dependencies: [
                "TexelPixels", "TexelOperations", "TexelCodecs", "TexelJPEG", "TexelPNG", "TexelPNM", "TexelBMP",
                "TexelQOI", .target(name: "TexelGIF", condition: .when(traits: ["GIF"])),
                .target(name: "TexelWebP", condition: .when(traits: ["WebP"])),
                .target(name: "TexelAVIF", condition: .when(traits: ["AVIF"])),
                .target(name: "TexelHEIC", condition: .when(traits: ["HEIC"])),
                .target(name: "TexelJXL", condition: .when(traits: ["JXL"])),
                .target(name: "TexelTIFF", condition: .when(traits: ["TIFF"])),
                .target(name: "TexelVideo", condition: .when(traits: ["Video"])), "TexelFormats", "TexelPipeline",
                "TexelBatch",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: compactSettings),
        // Three Flutter plugins in Swift.
        .target(name: "TexelFlutter", dependencies: ["Texel"] + modulesOfTexel, swiftSettings: compactSettings),
        .target(
            name: "TexelFrames",
            dependencies: [
                "TexelPixels", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelJPEG", "TexelPipeline",
                "TexelBatch",
                "CPixelKernels", "CFrameRing", .target(name: "TexelVideo", condition: .when(traits: ["Video"])),
                "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: compactSettings),
        // Empty without the trait.
        .target(
            name: "TexelOpenGL",
            dependencies: [
                "TexelFrames", "TexelPixels", .target(name: "COpenGL", condition: .when(traits: ["OpenGL"])),
            ],
            swiftSettings: swiftSettings),
        // Empty without the trait.
        .target(
            name: "TexelHTTP",
            dependencies: [
                "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelFormats", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"])),
            ],
            swiftSettings: compactSettings),
        // Text as an image, for overlays and captions.
        .target(
            name: "TexelText",
            dependencies: [
                "TexelPixels", "TexelOperations", "TexelCodecs", "CFreeType", "CFontconfig",
                .target(name: "CShapingShim", condition: .when(traits: ["Shaping"])),
            ],
            swiftSettings: compactSettings),
        // Contact sheets, and pages for browsers.
        .target(
            name: "TexelSheets",
            dependencies: [
                "TexelBatch", "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelJPEG",
                "TexelPNG",
                "TexelPixels", "TexelText",
                "CSodium", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // As byte arrays (`PackageResources.page_css`), so that the program stays one file and needs no Foundation.
            resources: [
                .embedInCode("Resources/page.css"), .embedInCode("Resources/page.js"),
                .embedInCode("Resources/gallery.css"), .embedInCode("Resources/gallery.js"),
                .embedInCode("Resources/gallery-dialog.html"),
                .embedInCode("Resources/report.css"), .embedInCode("Resources/report.js"),
            ],
            swiftSettings: compactSettings),
        .target(
            name: "TexelCLI",
            dependencies: [
                "Texel", "TexelFrames", "TexelHTTP", "TexelSheets", "TexelText", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ] + modulesOfTexel,
            swiftSettings: programSettings),
        // The program is its command line and a main function, so that tests and the fuzzer link the command line.
        .executableTarget(
            name: "TexelProgram", dependencies: ["TexelCLI"], swiftSettings: programSettings,
            linkerSettings: programLinkerSettings),

        // The routes by themselves, for the benchmarks: `package` does not reach into another package.
        .target(
            name: "BareRoute",
            dependencies: [
                "TexelPipeline", "TexelFormats", "TexelCodecs", "TexelPixels",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Benchmarks/Sources/BareRoute", swiftSettings: swiftSettings),

        // What makes TestImages/, shared by its generator and the tests that hold the committed files against it.
        .target(
            name: "CTestImageWriting", dependencies: ["CPNG", "CPNGShim"], path: "Tests/CTestImageWriting",
            // For the fence around libpng's errors.
            cSettings: cSettings + [.headerSearchPath("../../Sources/CPNGShim")]),
        .target(
            name: "TestImageWriting",
            dependencies: [
                "TexelPixels", "TexelCodecs", "TexelJPEG", "TexelPNG", "CJPEGShim", "CPNGShim", "CTestImageWriting",
            ],
            path: "Tests/TestImageWriting", swiftSettings: swiftSettings),
        .executableTarget(
            name: "TestImageGenerator", dependencies: ["TestImageWriting"], path: "Tests/TestImageGenerator",
            swiftSettings: swiftSettings),

        // Loops over whole images, which a debug build of Swift would take minutes for.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: [
                "TexelCodecs", "TexelFormats", "TexelJPEG", "TexelPNG", "TexelOperations", "TexelPixels",
                "CTestSupport",
                "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TexelPixelsTests", dependencies: ["TexelPixels", "CPixelKernels", "TestSupport"],
            // These tests consist of loops over samples.
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TexelOperationsTests", dependencies: ["TexelOperations", "TexelPixels", "TestSupport"],
            swiftSettings: testSettings),
        // Shared by the tests of the disk cache and the program that they run several times at once and kill.
        .target(
            name: "CacheTestSupport", dependencies: ["TexelPipeline", "TexelOperations"],
            path: "Tests/CacheTestSupport",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "DiskCacheWriter",
            dependencies: [
                "CacheTestSupport", "TestSupport", "TexelPipeline", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/DiskCacheWriter", swiftSettings: swiftSettings),
        // Drops its privileges and then makes the system calls that tests ask for.
        .executableTarget(name: "ConfinementProbe", dependencies: ["CIsolation"], path: "Tests/ConfinementProbe"),
        // A codec as a user writes one: public interfaces only.
        .target(
            name: "ToyCodec", dependencies: ["TexelCodecs", "TexelPixels"], path: "Tests/ToyCodec",
            swiftSettings: swiftSettings),
        // The program with that codec.
        .executableTarget(
            name: "ToyProgram", dependencies: ["TexelCLI", "TexelCodecs", "ToyCodec"], path: "Tests/ToyProgram",
            swiftSettings: swiftSettings),
        // A child program for isolation, correct or faulty as asked.
        .executableTarget(
            name: "IsolationHost",
            dependencies: [
                "TexelPipeline", "TexelFormats", "TexelCodecs", "ToyCodec",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/IsolationHost", swiftSettings: swiftSettings),
        .testTarget(
            name: "TexelStreamsTests", dependencies: ["TexelStreams"], swiftSettings: testSettings),
        .testTarget(
            name: "TexelPipelineTests",
            dependencies: [
                "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelPixels", "TestSupport", "TestImageWriting",
                "CacheTestSupport",
                "DiskCacheWriter", "ConfinementProbe", "IsolationHost", "ToyCodec", "CLittleCMS",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelBatchTests",
            dependencies: [
                "TexelBatch", "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelFormats", "TexelJPEG",
                "TexelPixels", "TestSupport", "CExtendedAttributes",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        // A program of its own, because it replaces the allocator by one that counts.
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .executableTarget(
            name: "FrameAllocationCounter",
            dependencies: [
                "TexelFrames", "TexelPipeline", "TexelPixels", "CAllocationCount",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/FrameAllocationCounter", swiftSettings: swiftSettings),
        .executableTarget(
            name: "DecodeLeakCounter",
            dependencies: ["TexelCodecs", "TexelFormats", "TexelPixels", "CAllocationCount"],
            path: "Tests/DecodeLeakCounter", swiftSettings: swiftSettings),
        .testTarget(
            name: "TexelFramesTests",
            dependencies: [
                "Texel", "TexelFrames", "TexelPipeline", "TexelOperations", "TexelCodecs", "TexelPixels", "CFrameRing",
                "TestSupport", "ToyCodec", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelOpenGLTests",
            dependencies: [
                "TexelOpenGL", "TexelFrames", "TexelPipeline", "TexelCodecs", "TexelPixels", "TestSupport",
                .target(name: "COpenGL", condition: .when(traits: ["OpenGL"])),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelHTTPTests",
            dependencies: [
                "TexelHTTP", "TexelPipeline", "TexelCodecs", "TexelPixels", "TestSupport", "PlatformLibc",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"])),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelTests", dependencies: ["Texel", "TestSupport"] + modulesOfTexel, swiftSettings: testSettings),
        .testTarget(
            name: "TexelFlutterTests", dependencies: ["TexelFlutter", "Texel", "TestSupport"] + modulesOfTexel,
            resources: [.copy("Assets")], swiftSettings: testSettings),
        .testTarget(
            name: "TexelCodecsTests",
            dependencies: [
                "TexelCodecs", "TexelJPEG", "TexelPNG", "TexelFormats", "TexelPixels", "TestSupport",
                "TestImageWriting",
                "CPixelKernels", "CDeflate", "CDeflateBlocks", "CCodecShims",
            ],
            exclude: ["Goldens"],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelGIFTests",
            dependencies: ["TexelCodecs", "TexelFormats", "TexelPixels", "TestSupport"].map { .target(name: $0) }
                + [.target(name: "TexelGIF", condition: .when(traits: ["GIF"]))],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelWebPTests",
            dependencies: ["TexelCodecs", "TexelPNM", "TexelPixels", "TestSupport"].map { .target(name: $0) }
                + [.target(name: "TexelWebP", condition: .when(traits: ["WebP"]))],
            swiftSettings: testSettings),
        // Three formats without a library.
        .testTarget(
            name: "TexelRasterTests",
            dependencies: [
                "TexelPNM", "TexelBMP", "TexelQOI", "TexelPNG", "TexelCodecs", "TexelPixels", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelHEICTests",
            dependencies: ["TexelCodecs", "TexelPNG", "TexelPixels", "TestSupport"].map {
                .target(name: $0)
            } + [.target(name: "TexelHEIC", condition: .when(traits: ["HEIC"]))],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelJXLTests",
            dependencies: [
                "TexelCodecs", "TexelJPEG", "TexelPNG", "TexelFormats", "TexelPipeline", "TexelPixels", "TestSupport",
            ].map { .target(name: $0) } + [.target(name: "TexelJXL", condition: .when(traits: ["JXL"]))],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelTIFFTests",
            dependencies: ["TexelCodecs", "TexelPixels", "TexelPNG", "TestSupport"].map { .target(name: $0) }
                + [.target(name: "TexelTIFF", condition: .when(traits: ["TIFF"]))],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelAVIFTests",
            dependencies: ["TexelCodecs", "TexelPNG", "TexelPixels", "TestSupport"].map { .target(name: $0) }
                + [.target(name: "TexelAVIF", condition: .when(traits: ["AVIF"]))],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelTextTests", dependencies: ["TexelText", "TexelOperations", "TexelPixels", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "TexelSheetsTests",
            dependencies: [
                "TexelSheets", "TexelBatch", "TexelPipeline", "TexelText", "TexelCodecs", "TexelPixels", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        // Runs the program as a child process; `swift build --build-tests` builds it too.
        .testTarget(
            name: "TexelCLITests",
            dependencies: ["Texel", "TexelText", "TestSupport", "ToyCodec", "ToyProgram", "PlatformLibc"]
                + modulesOfTexel,
            swiftSettings: testSettings),
    ]
)

// Checks that need few tests set this: only the named tests are built.
if let names = Context.environment["TEXEL_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// Scripts/fuzz.sh sets this: what is fuzzed needs sanitizers and a runtime that no other build has.
if Context.environment["TEXEL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "texel-fuzz",
            dependencies: [
                "TexelCLI", "TexelFrames", "TexelBatch", "TexelPipeline", "TexelFormats", "TexelJPEG", "TexelPNG",
                "TexelGIF", "TexelWebP", "TexelAVIF", "TexelHEIC", "TexelJXL", "TexelTIFF", "TexelPNM", "TexelBMP",
                "TexelQOI", "TexelCodecs", "TexelPixels",
                "CPNGShim", "TestImageWriting",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Fuzz/Sources", swiftSettings: commonSettings))
}
