import Foundation
import SiloSystem

/// Writes a media playlist over segments that were cut, and encrypts them as the recipe has it.
struct HLSPlaylistWriter {
  let recipe: HLSRecipe
  let folder: String

  /// Puts a rendition's segments where they are served and returns its playlist.
  func serve(_ name: String, keys: inout HLSKeys) throws -> String {
    let place = "\(folder)/\(name)"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let segments = try Self.segments(of: "\(folder)/clear/\(name)/index.m3u8")
    let longest = segments.map(\.duration).max() ?? 0
    var text = "#EXTM3U\n#EXT-X-VERSION:7\n"
    text += "#EXT-X-TARGETDURATION:\(Int(longest.rounded(.up)))\n"
    text += "#EXT-X-MEDIA-SEQUENCE:\(recipe.firstSequence)\n#EXT-X-PLAYLIST-TYPE:VOD\n"
    if recipe.form == .fmp4 {
      try copy("clear/\(name)/init.mp4", to: "\(name)/init.mp4")
      text += "#EXT-X-MAP:URI=\"init.mp4\"\n"
    }
    var key: (bytes: [UInt8], uri: String)?
    for (n, segment) in segments.enumerated() {
      let sequence = recipe.firstSequence + n
      if recipe.cipher == .none {
        try copy("clear/\(name)/\(segment.name)", to: "\(name)/\(segment.name)")
      } else {
        if key == nil || recipe.segmentsPerKey.map({ n % $0 == 0 }) == true {
          key = try keys.next()
          text += "#EXT-X-KEY:METHOD=AES-128,URI=\"\(key?.uri ?? "")\""
          text +=
            recipe.cipher == .explicitVector ? ",IV=0x\(Digest.hex(vector(n, sequence)))\n" : "\n"
        }
        let clear = try Data(
          contentsOf: URL(fileURLWithPath: "\(folder)/clear/\(name)/\(segment.name)"))
        let secret = try BlockCipher.run(
          .encrypt, key: key?.bytes ?? [], vector: vector(n, sequence), over: [UInt8](clear))
        try Data(secret).write(to: URL(fileURLWithPath: "\(place)/\(segment.name)"))
      }
      text += "#EXTINF:\(String(format: "%.6f", segment.duration)),\n\(segment.name)\n"
    }
    return text + "#EXT-X-ENDLIST\n"
  }

  /// The vector of a segment: its sequence number, or one of its key's own.
  private func vector(_ n: Int, _ sequence: Int) -> [UInt8] {
    let number = withUnsafeBytes(of: UInt64(sequence).bigEndian) { Array($0) }
    let keyNumber = UInt8(truncatingIfNeeded: recipe.segmentsPerKey.map { n / $0 } ?? 0)
    return switch recipe.cipher {
    case .none, .implicitVector: [UInt8](repeating: 0, count: 8) + number
    case .explicitVector: [UInt8](repeating: 0xab, count: 15) + [keyNumber]
    }
  }

  /// The names and durations that ffmpeg wrote.
  static func segments(of playlist: String) throws -> [(name: String, duration: Double)] {
    let text = try String(contentsOfFile: playlist, encoding: .utf8)
    var duration = 0.0
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      if line.hasPrefix("#EXTINF:") {
        duration = Double(line.dropFirst(8).prefix { $0 != "," }) ?? 0
        return nil
      }
      return line.hasPrefix("#") ? nil : (String(line), duration)
    }
  }

  private func copy(_ source: String, to destination: String) throws {
    try FileManager.default.copyItem(
      atPath: "\(folder)/\(source)", toPath: "\(folder)/\(destination)")
  }
}

/// Writes a multivariant playlist with what ffmpeg's own lacks: names, channels, characteristics, forced subtitles.
struct HLSMaster {
  let recipe: HLSRecipe
  let folder: String

  func text() throws -> String {
    var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
    text += recipe.isMuxed ? Self.muxedAudio : demuxedAudio
    text += Self.subtitles
    let videos = recipe.isMuxed ? ["muxed"] : ["video", "video-high"]
    let audio = try recipe.isMuxed ? rates("de") : loudestAudio()
    for name in videos {
      let own = try rates(name)
      let size = name == "video-high" ? "320x180" : "160x90"
      text += "#EXT-X-STREAM-INF:BANDWIDTH=\(own.peak + audio.peak),"
      text += "AVERAGE-BANDWIDTH=\(own.average + audio.average),RESOLUTION=\(size),"
      text += "FRAME-RATE=25.000,CODECS=\"avc1.4d400d,mp4a.40.2,ac-3\",AUDIO=\"aud\","
      text += "SUBTITLES=\"sub\",CLOSED-CAPTIONS=NONE\n\(name)/index.m3u8\n"
    }
    return text
  }

  private func loudestAudio() throws -> (peak: Int, average: Int) {
    let rates = try recipe.audioRenditions.map { try self.rates($0) }
    return (rates.map(\.peak).max() ?? 0, rates.map(\.average).max() ?? 0)
  }

  /// Bits a second of a rendition: of its worst segment, and on average.
  private func rates(_ name: String) throws -> (peak: Int, average: Int) {
    let segments = try HLSPlaylistWriter.segments(of: "\(folder)/\(name)/index.m3u8")
    var (bits, seconds, peak) = (0.0, 0.0, 0.0)
    for segment in segments {
      let path = "\(folder)/\(name)/\(segment.name)"
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let own = 8 * ((facts[.size] as? NSNumber)?.doubleValue ?? 0)
      bits += own
      seconds += segment.duration
      peak = max(peak, own / max(segment.duration, 0.5))
    }
    return (Int(peak), Int(bits / max(seconds, 1)))
  }

  private var demuxedAudio: String {
    let lines = Self.everyAudio.split(separator: "\n").prefix(recipe.audioRenditions.count)
    return lines.joined(separator: "\n") + "\n"
  }

  private static let everyAudio = """
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Türkçe",LANGUAGE="tr",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="tr/index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English 5.1",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="6",URI="en/index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Deutsch",LANGUAGE="ger",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="de/index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="日本語",LANGUAGE="ja",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="ja/index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Director's commentary",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",URI="commentary/index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English description",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.describes-video",CHANNELS="2",URI="description/index.m3u8"

    """

  private static let muxedAudio = """
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Türkçe",LANGUAGE="tr",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="de/index.m3u8"

    """

  private static let subtitles = """
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="Türkçe",LANGUAGE="tr",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="subs-tr/index.m3u8"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English (forced)",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="subs-en-forced/index.m3u8"

    """
}
