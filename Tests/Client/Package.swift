// swift-tools-version: 6.1
import PackageDescription

// What a program that uses vcap as a library looks like: a package of its own that knows the product alone.
let package = Package(
    name: "client",
    dependencies: [.package(name: "vcap", path: "../..")],
    targets: [
        .executableTarget(
            name: "client", dependencies: [.product(name: "VideoCapture", package: "vcap")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
