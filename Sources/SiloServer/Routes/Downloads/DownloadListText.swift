import SiloContract

/// The list of rows as JSON, written by hand: a device may have ten thousand, and asks often.
enum DownloadListText {
  /// The same bytes as `ContractJSON` makes of a `DownloadList`.
  static func json(_ rows: [DownloadRow]) -> [UInt8] {
    var text = "{\"downloads\":["
    text.reserveCapacity(rows.count * 420 + 32)
    for (index, row) in rows.enumerated() {
      text += index == 0 ? "{" : ",{"
      append(row, to: &text)
      text += "}"
    }
    text += "]}"
    return Array(text.utf8)
  }

  private static func append(_ row: DownloadRow, to text: inout String) {
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

  private static func field(_ name: String, _ value: String?, _ text: inout String) {
    guard let value else { return }
    text += "\"\(name)\":"
    let isPlain = value.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 < 0x7F
    }
    if isPlain {
      text += "\""
      text += value
      text += "\","
    } else {
      text += JSONText.quoted(value)
      text += ","
    }
  }

  private static func number(_ name: String, _ value: Int64, _ text: inout String) {
    text += "\"\(name)\":\(value),"
  }
}
