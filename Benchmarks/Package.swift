// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that neither users nor `make test` ever fetch or build what measures Texel.

let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

/// A suite of the benchmark plugin, which looks for them in `Benchmarks/`.
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
        // Without its traits it brings no allocator of its own; its counts of allocations then say nothing.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(
            name: "BenchmarkPictures", dependencies: [.product(name: "Texel", package: "Texel")],
            swiftSettings: swiftSettings),
        // Prints the time of one resize in memory, for the comparison with other libraries.
        .executableTarget(name: "ResizeTimer", dependencies: ["BenchmarkPictures"], swiftSettings: swiftSettings),
        // Measures what frames go through: `FrameTimer hand-over`, `FrameTimer textures`.
        .executableTarget(
            name: "FrameTimer",
            dependencies: [
                .product(name: "Texel", package: "Texel"), .product(name: "TexelFrames", package: "Texel"),
            ],
            swiftSettings: swiftSettings),
        // Measures what the pipeline costs and promises: `PipelineTimer help` tells how.
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
