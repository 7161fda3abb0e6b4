// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that users and `make test` neither fetch nor build the benchmark dependencies.

let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

/// Declares a suite of the benchmark plugin, which looks for suites in `Benchmarks/`.
func suite(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies + [.product(name: "Benchmark", package: "benchmark")],
        path: "Benchmarks/\(name)",
        swiftSettings: swiftSettings,
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "Texel", path: ".."),
        // Without its traits the package does not replace the allocator; its allocation counts are then not available.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(
            name: "BenchmarkPictures", dependencies: [.product(name: "Texel", package: "Texel")],
            swiftSettings: swiftSettings),
        // Prints the time of one resize in memory, for the comparison with other libraries.
        .executableTarget(name: "ResizeTimer", dependencies: ["BenchmarkPictures"], swiftSettings: swiftSettings),
        // Prints the time of decoding a file from memory, for the same comparison.
        .executableTarget(
            name: "DecodeTimer", dependencies: [.product(name: "Texel", package: "Texel")],
            swiftSettings: swiftSettings),
        // Prints the time of an operation in memory, for the same comparison.
        .executableTarget(name: "OperationTimer", dependencies: ["BenchmarkPictures"], swiftSettings: swiftSettings),
        // Measures the frame pipeline: `FrameTimer hand-over`, `FrameTimer textures`.
        .executableTarget(
            name: "FrameTimer",
            dependencies: [
                .product(name: "Texel", package: "Texel"), .product(name: "TexelFrames", package: "Texel"),
            ],
            swiftSettings: swiftSettings),
        // Measures the pipeline's costs and guarantees; `PipelineTimer help` prints the usage.
        .executableTarget(
            name: "PipelineTimer",
            dependencies: [
                .product(name: "Texel", package: "Texel"), .product(name: "_BareRoute", package: "Texel"),
            ],
            swiftSettings: swiftSettings),
        suite("Kernels", [.product(name: "_CPixelKernels", package: "Texel")]),
        suite("Pictures", ["BenchmarkPictures"]),
    ]
)
