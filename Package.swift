// swift-tools-version: 6.1
import PackageDescription

// Every C dependency is a Debian package; scripts/install-deps installs it and says why.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

func room(
    _ name: String, path: String? = nil, exclude: [String] = [], needs: [Target.Dependency]
) -> Target {
    .target(
        name: name, dependencies: needs, path: path ?? "Sources/\(name)", exclude: exclude,
        swiftSettings: strict)
}

func upstream(_ name: String, pkgConfig: String?, debian: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([debian])])
}

// Pango's own pkg-config names bring -pthread (of gmodule, through gio), which the package manager refuses with a
// warning and which is not needed; no other name tells where the headers are, and they are on no standard path. So a
// file of ours does. Names with spaces are several names to the package manager: there the warning is the lesser evil.
let pangoHeaders = "\(Context.packageDirectory)/Sources/System/CPangoCairo/pango.pc"
let pango = pangoHeaders.contains(" ") ? "pangocairo" : pangoHeaders

// Debian's headers of OpenCV have no pkg-config name of their own (libopencv-dev's brings every module).
let openCVHeaders = "\(Context.packageDirectory)/Sources/System/CFaces/opencv.pc"
let openCV = openCVHeaders.contains(" ") ? "opencv4" : openCVHeaders

// What tests call is optimised, they themselves are not: optimising them took longer than all of the product, most of
// it for what is expected, spelled out by macros. Those whose references compute every pixel and sample are optimised.
let tested: [SwiftSetting] =
    strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(
    _ name: String, path: String? = nil, exclude: [String] = [], isOptimised: Bool = false,
    of needs: [Target.Dependency]
) -> Target {
    // Media in all of them: what is not named is no reason to build a target again
    .testTarget(
        name: name, dependencies: needs + ["Media"],
        path: path ?? "Tests/\(name)", exclude: exclude,
        swiftSettings: isOptimised ? strict : tested)
}

let package = Package(
    name: "vcap",
    products: [
        .executable(name: "vcap", targets: ["vcap"]),
        .library(
            name: "VideoCapture",
            targets: [
                "Media", "Capture", "Movie", "Reading", "Writing", "Recording", "Compose", "Detect",
                "Play",
            ]),
        // a file of its own, loaded when codes are detected: a program that detects nothing needs neither it nor
        // what it is linked to
        .library(name: "vcap-codes", type: .dynamic, targets: ["CodesShim"]),
        // the same for faces, bodies and cats
        .library(name: "vcap-faces", type: .dynamic, targets: ["FacesShim"]),
        // and for the depth of stereo pairs
        .library(name: "vcap-stereo", type: .dynamic, targets: ["StereoShim"]),
        // and for mattes by a model
        .library(name: "vcap-mattes", type: .dynamic, targets: ["MattesShim"]),
    ],
    targets: [
        // one module map serves the FFmpeg family: libavformat, libavcodec, libavutil, libswscale, libswresample
        // (linked), libavfilter (loaded when a GIF is made or an interlaced frame is shown)
        upstream("CFFmpeg", pkgConfig: "libavformat", debian: "libavformat-dev"),
        upstream("CALSA", pkgConfig: "alsa", debian: "libasound2-dev"),
        // libpulse's pkg-config names -D_REENTRANT, which the package manager refuses aloud; it needs no flags
        upstream("CPulse", pkgConfig: nil, debian: "libpulse-dev"),
        upstream("CV4L2", pkgConfig: "libv4l2", debian: "libv4l-dev"),
        upstream("CUdev", pkgConfig: "libudev", debian: "libudev-dev"),

        upstream("CZimg", pkgConfig: "zimg", debian: "libzimg-dev"),
        upstream("CPangoCairo", pkgConfig: pango, debian: "libpango1.0-dev"),
        upstream("CASS", pkgConfig: "libass", debian: "libass-dev"),
        upstream("CEBUR128", pkgConfig: "libebur128", debian: "libebur128-dev"),
        upstream("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),

        upstream("CWebP", pkgConfig: "libwebp", debian: "libwebp-dev"),
        // their -DAVIF_DLL and -pthread are refused with a warning and not needed
        upstream("CAVIF", pkgConfig: nil, debian: "libavif-dev"),
        upstream("CHEIF", pkgConfig: nil, debian: "libheif-dev"),
        upstream("CGIF", pkgConfig: nil, debian: "libgif-dev"),
        upstream("CTurboJPEG", pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"),
        upstream("CLCMS", pkgConfig: "lcms2", debian: "liblcms2-dev"),
        upstream("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
        // for tests only: what our own composition is held against
        upstream("CWebPDemux", pkgConfig: "libwebpdemux", debian: "libwebp-dev"),

        // the kernel's and glibc's own calls that Glibc's module leaves out; no package of its own
        .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),

        room("Media", needs: []),
        room("LibAV", needs: ["Media", "CFFmpeg", "CZimg"]),
        room("Capture", needs: ["Media", "LibAV", "CALSA", "CPulse", "CV4L2", "CUdev"]),
        room(
            "Image",
            needs: [
                "Media", "LibAV", "CWebP", "CAVIF", "CHEIF", "CGIF", "CTurboJPEG", "CLCMS", "CZlib",
            ]),
        // the folder Writer: Recording -> Writing -> Movie <- Reading
        room("Movie", path: "Sources/Writer/Movie", needs: ["Media", "LibAV", "CLinux"]),
        room(
            "Reading", path: "Sources/Writer/Reading",
            needs: ["Media", "LibAV", "Image", "Movie", "CExpat"]),
        room(
            "Writing", path: "Sources/Writer/Writing",
            needs: ["Media", "LibAV", "Image", "Movie"]),
        room(
            "Recording", path: "Sources/Writer/Recording",
            needs: ["Media", "LibAV", "Movie", "Writing"]),
        room(
            "Compose",
            needs: [
                "Media", "LibAV", "Movie", "Reading", "Writing", "Recording", "CPangoCairo",
                "CASS", "CEBUR128",
            ]),
        // only its header: the library is loaded at run time
        .systemLibrary(name: "CCodes", path: "Sources/System/CCodes"),
        .target(
            name: "CodesShim", path: "Sources/Detect/Shims/Codes", publicHeadersPath: ".",
            linkerSettings: [.linkedLibrary("ZXing")]),
        upstream("CFaces", pkgConfig: openCV, debian: "libopencv-objdetect-dev"),
        .target(
            name: "FacesShim", dependencies: ["CFaces"], path: "Sources/Detect/Shims/Faces",
            publicHeadersPath: ".",
            linkerSettings: ["objdetect", "dnn", "imgproc", "core"].map {
                .linkedLibrary("opencv_\($0)")
            }),
        // tries a model in a process of its own; it loads the library that is to read it
        .executableTarget(
            name: "vcap-check-model", path: "Sources/Detect/Shims/CheckModel"),
        upstream("CStereo", pkgConfig: openCV, debian: "libopencv-calib3d-dev"),
        .target(
            name: "StereoShim", dependencies: ["CStereo"], path: "Sources/Detect/Shims/Stereo",
            publicHeadersPath: ".",
            linkerSettings: ["calib3d", "core"].map { .linkedLibrary("opencv_\($0)") }),
        upstream("CMattes", pkgConfig: openCV, debian: "libopencv-dnn-dev"),
        .target(
            name: "MattesShim", dependencies: ["CMattes"], path: "Sources/Detect/Shims/Mattes",
            publicHeadersPath: ".",
            linkerSettings: ["dnn", "core"].map { .linkedLibrary("opencv_\($0)") }),
        room(
            "Detect", exclude: ["Shims"],
            needs: ["Media", "LibAV", "Capture", "CCodes", "CFaces", "CStereo", "CMattes"]),
        room(
            "Play", exclude: ["Shims"],
            needs: ["Media", "LibAV", "Capture", "Reading", "Compose"]),
        // by its folder of headers: SDL's own pkg-config name brings a flag that the package manager refuses
        upstream("CSDL", pkgConfig: nil, debian: "libsdl2-dev"),
        // shows a window in a process of its own
        .executableTarget(
            name: "vcap-window", dependencies: ["CSDL"], path: "Sources/Play/Shims/Window",
            linkerSettings: [.linkedLibrary("SDL2")]),
        .executableTarget(
            name: "vcap",
            dependencies: [
                "Media", "Capture", "Movie", "Reading", "Writing", "Recording", "Compose", "Detect",
                "Play", "CLinux",
            ],
            path: "Sources/CLI",
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Media", "LibAV", "Movie", "Capture", "CLinux"],
            path: "Tests/TestSupport", swiftSettings: strict),
        tests("MediaTests", of: ["TestSupport"]),
        tests("LibAVTests", of: ["LibAV", "TestSupport"]),
        tests("ImageTests", of: ["Image", "LibAV", "CWebPDemux", "CLCMS", "TestSupport"]),
        tests("CaptureTests", of: ["Capture", "TestSupport"]),
        tests(
            "WriterTests", exclude: ["Goldens"],
            of: ["Movie", "Reading", "Writing", "Recording", "LibAV", "TestSupport"]),
        tests(
            "ComposeTests", exclude: ["Goldens"], isOptimised: true,
            of: ["Compose", "Movie", "Reading", "Writing", "Recording", "LibAV", "TestSupport"]),
        tests(
            "DetectTests",
            of: ["Detect", "Capture", "Movie", "Reading", "Writing", "Recording", "TestSupport"]),
        tests(
            "PlayTests",
            of: [
                "Play", "CSDL", "Capture", "LibAV", "Reading", "Writing", "Compose", "TestSupport",
            ]),
        tests("FaultTests", path: "Tests/Faults", of: ["vcap", "TestSupport"]),
        tests("FuzzTests", path: "Tests/Fuzz", of: ["vcap", "TestSupport"]),
        tests(
            "CLITests", exclude: ["Goldens"],
            of: [
                "vcap", "Capture", "Movie", "Writing", "Recording", "Compose", "Detect", "Play",
                "TestSupport",
            ]),
        .testTarget(
            name: "LabTests", dependencies: ["vcap", "TestSupport"], path: "Tests/Lab",
            exclude: ["README.md", "guest", "scenarios"], swiftSettings: tested),
    ],
    cxxLanguageStandard: .cxx17
)
