import Foundation

/// What the ffprobe and ffmpeg programs see in a file: the judges of what we write.
package enum Probe {
  /// One stream of a file.
  package struct Stream: Sendable, Decodable {
    /// The position in the file.
    package let index: Int
    /// `video`, `audio`, `subtitle`, `data`.
    package let kind: String
    /// The codec's short name.
    package let codec: String?
    /// The codec's four-character tag in the container.
    package let codecTag: String?
    /// Every tag, as the container has it.
    package let tags: [String: String]
    /// The names of the dispositions that are set.
    package let dispositions: Set<String>
    /// The first presentation time in seconds.
    package let start: Double?
    /// The duration in seconds.
    package let duration: Double?
    /// Width in pixels.
    package let width: Int?
    /// Height in pixels.
    package let height: Int?
    /// The number of channels.
    package let channels: Int?
    /// Samples a second.
    package let sampleRate: Int?

    /// The language tag.
    package var language: String? { tags["language"] }
    /// The title: the tag of Matroska, or the handler of MP4 unless that is what muxers write by themselves.
    package var title: String? {
      let generic = ["SoundHandler", "VideoHandler", "SubtitleHandler", ""]
      let handler = tags["handler_name"].flatMap { generic.contains($0) ? nil : $0 }
      return tags["title"] ?? tags["name"] ?? handler
    }
    /// Whether the default disposition is set.
    package var isDefault: Bool { dispositions.contains("default") }

    private enum Key: String, CodingKey {
      case index
      case kind = "codec_type"
      case codec = "codec_name"
      case codecTag = "codec_tag_string"
      case tags
      case disposition
      case start = "start_time"
      case duration
      case width
      case height
      case channels
      case sampleRate = "sample_rate"
    }

    /// Reads ffprobe's JSON.
    package init(from decoder: any Decoder) throws {
      let json = try decoder.container(keyedBy: Key.self)
      index = try json.decode(Int.self, forKey: .index)
      kind = try json.decodeIfPresent(String.self, forKey: .kind) ?? "unknown"
      codec = try json.decodeIfPresent(String.self, forKey: .codec)
      codecTag = try json.decodeIfPresent(String.self, forKey: .codecTag)
      tags = try json.decodeIfPresent([String: String].self, forKey: .tags) ?? [:]
      let set = try json.decodeIfPresent([String: Int].self, forKey: .disposition) ?? [:]
      dispositions = Set(set.filter { $0.value == 1 }.keys)
      start = try json.decodeIfPresent(String.self, forKey: .start).flatMap(Double.init)
      duration = try json.decodeIfPresent(String.self, forKey: .duration).flatMap(Double.init)
      width = try json.decodeIfPresent(Int.self, forKey: .width)
      height = try json.decodeIfPresent(Int.self, forKey: .height)
      channels = try json.decodeIfPresent(Int.self, forKey: .channels)
      sampleRate = try json.decodeIfPresent(String.self, forKey: .sampleRate).flatMap { Int($0) }
    }
  }

  private struct Streams: Decodable { let streams: [Stream] }
  private struct Format: Decodable {
    struct Values: Decodable {
      let duration: String?
      let tags: [String: String]?
    }
    let format: Values
  }

  /// The streams of a file or URL; `kind` keeps only those of `video`, `audio`, `subtitle`.
  package static func streams(_ path: String, kind: String? = nil) async throws -> [Stream] {
    let result = try await probe(["-show_streams", "-of", "json"], path)
    let streams = try JSONDecoder().decode(Streams.self, from: Data(result.output)).streams
    return kind.map { kind in streams.filter { $0.kind == kind } } ?? streams
  }

  /// The duration that the container states, in seconds.
  package static func duration(_ path: String) async throws -> Double? {
    let result = try await probe(["-show_format", "-of", "json"], path)
    return try JSONDecoder().decode(Format.self, from: Data(result.output)).format.duration
      .flatMap(Double.init)
  }

  /// The tags of the whole file.
  package static func tags(_ path: String) async throws -> [String: String] {
    let result = try await probe(["-show_format", "-of", "json"], path)
    return try JSONDecoder().decode(Format.self, from: Data(result.output)).format.tags ?? [:]
  }

  /// The MD5 of each packet of a stream (`a:0`, `v:0`, `0`), in file order: what has to survive a copy.
  package static func packetHashes(_ path: String, _ stream: String) async throws -> [String] {
    let result = try await probe(
      ["-select_streams", stream, "-show_packets", "-show_data_hash", "md5"]
        + ["-show_entries", "packet=data_hash", "-of", "csv=p=0"], path)
    return result.lines.map { $0.trimmingCharacters(in: [","]) }
  }

  /// The presentation times of a stream's packets in seconds, in file order.
  ///
  /// - Parameter options: Input options of ffprobe besides.
  package static func times(_ path: String, _ stream: String, options: [String] = []) async throws
    -> [Double]
  {
    let result = try await probe(
      options + ["-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0"],
      path)
    return result.lines.compactMap { Double($0.trimmingCharacters(in: [","])) }
  }

  /// The earliest presentation time of a stream in seconds.
  package static func firstTime(_ path: String, _ stream: String) async throws -> Double? {
    try await times(path, stream).min()
  }

  /// Decodes every stream to its end and returns what the decoder complained of; empty is sound.
  package static func complaints(_ path: String) async throws -> String {
    let result = try await run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-xerror", "-i", path, "-map", "0:v?", "-map", "0:a?"]
        + ["-f", "null", "-"])
    return result.status == 0 ? result.stderr : "status \(result.status): \(result.stderr)"
  }

  private static func probe(_ arguments: [String], _ path: String) async throws -> CommandResult {
    try await runSuccessfully("ffprobe", ["-v", "error"] + arguments + [path])
  }
}
