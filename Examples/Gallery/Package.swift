// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Gallery",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "Texel", path: "../..")],
    targets: [
        .executableTarget(
            name: "Gallery", dependencies: [.product(name: "Texel", package: "Texel")],
            // As in a program with windows.
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)])
    ]
)
