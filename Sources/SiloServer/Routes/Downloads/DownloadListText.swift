import SiloContract

/// The list of rows as JSON, written by hand: a device may have ten thousand, and asks often.
enum DownloadListText {
  /// The same bytes as `ContractJSON` makes of a `DownloadList`.
  static func json(_ rows: [DownloadRow]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(rows.count * 420 + 32)
    text.append(contentsOf: "{\"downloads\":[".utf8)
    for (index, row) in rows.enumerated() {
      text.append(contentsOf: (index == 0 ? "{" : ",{").utf8)
      append(row, to: &text)
      text.append(UInt8(ascii: "}"))
    }
    text.append(contentsOf: "]}".utf8)
    return text
  }

  private static func append(_ row: DownloadRow, to text: inout [UInt8]) {
    field("batch_id", row.batchID?.text, &text)
    number("bytes_sent", row.bytesSent ?? 0, &text)
    field("completed_at", row.completedAt?.description, &text)
    field("content_id", row.contentID, &text)
    field("created_at", row.createdAt?.description, &text)
    field("delivery_format", row.deliveryFormat?.rawValue, &text)
    field("device_id", row.deviceID, &text)
    field("effective_quality", row.effectiveQuality?.rawValue, &text)
    field("episode_id", row.episodeID, &text)
    number("file_size", row.fileSize ?? 0, &text)
    field("id", row.id.text, &text)
    field("kind", row.kind, &text)
    if let file = row.mediaFileID { number("media_file_id", file.number, &text) }
    field("quality", row.quality?.rawValue, &text)
    number("revision", Int64(row.revision), &text)
    field("status", row.status.rawValue, &text)
    number("target_bitrate_kbps", Int64(row.targetKilobitsPerSecond ?? 0), &text)
    text.removeLast()
  }

  private static func field(_ name: StaticString, _ value: String?, _ text: inout [UInt8]) {
    guard let value else { return }
    key(name, &text)
    let start = text.count
    text.append(UInt8(ascii: "\""))
    text.append(contentsOf: value.utf8)
    let isPlain = text[(start + 1)...].allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 < 0x7F
    }
    if isPlain {
      text.append(UInt8(ascii: "\""))
    } else {
      text.removeSubrange(start...)
      text.append(contentsOf: JSONText.quoted(value).utf8)
    }
    text.append(UInt8(ascii: ","))
  }

  private static func number(_ name: StaticString, _ value: Int64, _ text: inout [UInt8]) {
    key(name, &text)
    text.append(contentsOf: String(value).utf8)
    text.append(UInt8(ascii: ","))
  }

  private static func key(_ name: StaticString, _ text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { text.append(contentsOf: $0) }
    text.append(UInt8(ascii: "\""))
    text.append(UInt8(ascii: ":"))
  }
}
