// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ThumbnailServer",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "Texel", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "ThumbnailServer",
            dependencies: [
                .product(name: "Texel", package: "Texel"), .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
