// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: language mode 6, no warning survives.
let rules: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "silo-fetch",
  products: [
    .library(name: "SiloMedia", targets: ["SiloMedia"]),
    .library(name: "SiloDownloads", targets: ["SiloDownloads"]),
    .executable(name: "silo-fetch", targets: ["silo-fetch"]),
    // For the tests: loaded into the program under test to make calls of the system fail.
    .library(name: "FaultyCalls", type: .dynamic, targets: ["FaultyCalls"]),
  ],
  targets: [
    // C libraries of the system: a module map and one header of shims each.
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd gnutls",
      providers: [.apt(["libmicrohttpd-dev", "libgnutls28-dev"])]),

    .systemLibrary(name: "CLinux"),

    // The path, from the ground up.
    .target(name: "SiloSystem", dependencies: ["CCrypto", "CLinux"], swiftSettings: rules),
    .target(
      name: "SiloMedia", dependencies: ["SiloSystem", "CFFmpeg"], swiftSettings: rules),
    .target(name: "SiloStore", dependencies: ["SiloSystem", "CSQLite"], swiftSettings: rules),
    .target(name: "SiloContract", swiftSettings: rules),
    .target(
      name: "SiloDownloads",
      dependencies: ["SiloSystem", "SiloMedia", "SiloContract", "SiloStore", "CCurl"],
      swiftSettings: rules),
    .target(
      name: "SiloServer",
      dependencies: ["SiloSystem", "SiloMedia", "SiloContract", "SiloStore", "CMicroHTTPD"],
      swiftSettings: rules),
    .executableTarget(
      name: "silo-fetch",
      dependencies: ["SiloSystem", "SiloMedia", "SiloDownloads", "SiloServer"],
      swiftSettings: rules),

    // Small programs that the README and the documents show; compiled by every build, run by the tests.
    .executableTarget(
      name: "list-the-tracks", dependencies: ["SiloDownloads", "SiloMedia"],
      path: "Samples/list-the-tracks", swiftSettings: rules),
    .executableTarget(
      name: "choose-and-package", dependencies: ["SiloDownloads", "SiloMedia"],
      path: "Samples/choose-and-package", swiftSettings: rules),
    .executableTarget(
      name: "queue-a-season", dependencies: ["SiloDownloads", "SiloMedia"],
      path: "Samples/queue-a-season", swiftSettings: rules),
    .executableTarget(
      name: "list-what-is-offline", dependencies: ["SiloDownloads", "SiloMedia"],
      path: "Samples/list-what-is-offline", swiftSettings: rules),

    // Tests: one target per source target, the promises of the product apart.
    .target(name: "FaultyCalls", path: "Tests/FaultyCalls"),
    .target(
      name: "SiloTestSupport", dependencies: ["SiloSystem", "SiloMedia"],
      path: "Tests/SiloTestSupport", swiftSettings: rules),
    .testTarget(
      name: "SiloSystemTests", dependencies: ["SiloSystem", "SiloTestSupport"],
      swiftSettings: rules),
    .testTarget(
      name: "SiloMediaTests", dependencies: ["SiloMedia", "SiloSystem", "SiloTestSupport"],
      resources: [.copy("Vectors")], swiftSettings: rules),
    .testTarget(name: "SiloContractTests", dependencies: ["SiloContract"], swiftSettings: rules),
    .testTarget(
      name: "SiloStoreTests", dependencies: ["SiloStore", "SiloTestSupport"],
      swiftSettings: rules),
    .testTarget(
      name: "SiloDownloadsTests",
      dependencies: [
        "SiloDownloads", "SiloContract", "SiloStore", "SiloMedia", "SiloSystem", "SiloTestSupport",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "SiloServerTests",
      dependencies: [
        "SiloServer", "SiloContract", "SiloStore", "SiloMedia", "SiloSystem", "SiloTestSupport",
        "silo-fetch",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "SiloFetchTests",
      dependencies: ["silo-fetch", "SiloMedia", "SiloDownloads", "SiloSystem", "SiloTestSupport"],
      exclude: ["Snapshots"],
      swiftSettings: rules),
    .testTarget(
      name: "AcceptanceTests",
      dependencies: [
        "silo-fetch", "list-the-tracks", "choose-and-package", "queue-a-season",
        "list-what-is-offline", "SiloMedia", "SiloDownloads", "SiloStore", "SiloTestSupport",
      ],
      swiftSettings: rules),
  ]
)
