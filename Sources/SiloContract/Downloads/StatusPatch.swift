/// `PATCH /downloads/{id}`: what the device says of its copy.
package struct StatusPatch: Codable, Hashable, Sendable {
  /// `downloading` or `completed`.
  package var status: DownloadStatus

  private enum CodingKeys: String, CodingKey { case status }

  /// Says that the copy is in `status`.
  package init(_ status: DownloadStatus) { self.status = status }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // A status that is not given is as wrong as one that is not known.
    status = DownloadStatus(
      rawValue: try container.exactly(String.self, forKey: .status) ?? "")
  }
}
