import Foundation
import SiloContract
import Testing

@Suite struct ContractShapeTests {
  /// A shape, and how it is read and written again.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let json: String
    let again: @Sendable ([UInt8]) throws -> [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ type: (some Codable & Sendable).Type, _ json: String) {
      self.name = name
      self.json = json
      again = { try ContractJSON.encode(ContractJSON.decode(type, from: $0)) }
    }
  }

  static let rows = [
    Row("capability", Capability.self, ContractShapes.capability),
    Row("capability, not allowed", Capability.self, ContractShapes.forbiddenCapability),
    Row("row of a film", DownloadRow.self, ContractShapes.filmRow),
    Row("row of an episode", DownloadRow.self, ContractShapes.episodeRow),
    Row("row without a device", DownloadRow.self, ContractShapes.accountRow),
    Row("list", DownloadList.self, "{\"downloads\":[\(ContractShapes.filmRow)]}"),
    Row("empty list", DownloadList.self, "{\"downloads\":[]}"),
    Row("create", CreateRequest.self, ContractShapes.request),
    Row("create, least", CreateRequest.self, "{\"content_id\":\"a\"}"),
    Row("created film", CreateAnswer.self, ContractShapes.filmRow),
    Row("created batch", CreateAnswer.self, ContractShapes.batch),
    Row("batch, all there", CreateAnswer.self, "{\"downloads\":[\(ContractShapes.episodeRow)]}"),
    Row("patch", StatusPatch.self, "{\"status\":\"downloading\"}"),
    Row("manifest of a film", OfflineManifest.self, ContractShapes.filmManifest),
    Row("manifest of an episode", OfflineManifest.self, ContractShapes.episodeManifest),
    Row("manifests", BatchManifests.self, ContractShapes.manifests),
    Row("refusal", ErrorEnvelope.self, ContractShapes.refusal),
    Row("login", LoginRequest.self, "{\"username\":\"a\",\"password\":\"b\"}"),
    Row("tokens", Tokens.self, ContractShapes.tokens),
    Row("device code", DeviceCode.self, ContractShapes.deviceCode),
    Row("poll", DevicePoll.self, "{\"status\":\"pending\",\"poll_after\":5}"),
    Row("key", APIKey.self, ContractShapes.key),
    Row("key, listed", APIKey.self, "{\"id\":1,\"user_id\":1,\"label\":\"\"}"),
    Row("profiles", ProfileList.self, ContractShapes.profiles),
    Row(
      "PIN", PINCheck.self,
      "{\"valid\":true,\"profile_token\":\"t\",\"expires_at\":\"2026-03-04T05:16:07Z\"}"),
    Row("wrong PIN", PINCheck.self, "{\"valid\":false}"),
    Row("page", CatalogPage.self, ContractShapes.page),
    Row("detail", ItemDetail.self, ContractShapes.detail),
    Row("seasons", SeasonList.self, ContractShapes.seasons),
    Row("episodes", EpisodeList.self, ContractShapes.episodes),
  ]

  @Test(arguments: rows)
  func `What is read is written again key by key`(_ row: Row) throws {
    let expected = try tree(Array(row.json.utf8))
    let found = try tree(try row.again(Array(row.json.utf8)))
    #expect(found == expected)
    #expect(!"\(found)".contains("null"))
  }

  @Test(arguments: rows)
  func `Unknown fields change nothing`(_ row: Row) throws {
    let more = "{\"zz_new\":{\"a\":[1,null]},\"also\":null," + row.json.dropFirst()
    #expect(try row.again(Array(more.utf8)) == row.again(Array(row.json.utf8)))
  }

  private func tree(_ bytes: [UInt8]) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
  }
}
