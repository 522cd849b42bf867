import Foundation
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct ServerTLSTests {
  @Test func `With a certificate the server speaks TLS and nothing else`() async throws {
    let authority = try await CertificateAuthority.make()
    let certificate = try await authority.sign("server")
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }
    let served = try await SignedInServer { $0.tls = (certificate.path, certificate.keyPath) }
    let url = served.server.url.absoluteString
    #expect(url.hasPrefix("https://127.0.0.1:"))
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", content)
    let address = url + "api/v1/direct-download?file_id=1&token=" + served.key
    let trusted = ["-s", "--cacert", authority.path]
    #expect(try await run("curl", trusted + [address]).output == content)
    let part = try await run("curl", trusted + ["-r", "2000000-2999999", address])
    #expect(part.output == Array(content[2_000_000...]))
    // 60: nobody whom the client trusts signed it. 52: nothing comes to whoever does not encrypt.
    #expect(try await run("curl", "-s", address).status == 60)
    let plain = try await run("curl", "-s", "-m", "20", "http" + address.dropFirst(5))
    #expect([52, 56].contains(plain.status))
    let old = try await run(
      "curl", trusted + ["--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0", address])
    #expect(old.status == 35)
    let device = try await run(
      "curl", trusted + ["-X", "POST", url + "api/v1/auth/device/start"])
    #expect(device.stdout.contains("\"verification_uri\":\"https:"))
    await served.stop()
  }

  @Test
  func `A certificate that was renewed is shown to new connections, and one that is bad is not`()
    async throws
  {
    let authority = try await CertificateAuthority.make()
    let (first, second) = (try await authority.sign("first"), try await authority.sign("second"))
    let folder = try TemporaryFolder()
    let (path, keyPath) = (folder.path("cert.pem"), folder.path("key.pem"))
    func put(_ certificate: CertificateAuthority.Certificate) throws {
      try Data(contentsOf: URL(filePath: certificate.path)).write(to: URL(filePath: path))
      try Data(contentsOf: URL(filePath: certificate.keyPath)).write(to: URL(filePath: keyPath))
    }
    try put(first)
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
    let served = try await SignedInServer { $0.tls = (path, keyPath) }
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", content)
    let url = served.server.url.absoluteString
    func shown() async throws -> String {
      let port = served.server.url.port ?? 0
      let line =
        "openssl s_client -connect 127.0.0.1:\(port) -CAfile '\(authority.path)' -verify_return_error"
        + " </dev/null 2>/dev/null | openssl x509 -noout -subject"
      return try await runSuccessfully("sh", ["-c", line]).stdout
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(try await shown() == "subject=CN = first")
    let address = url + "api/v1/direct-download?file_id=1&token=" + served.key
    // What began before goes on to its end, with the certificate that is used no more.
    let slow = try RunningCommand(
      "curl", ["-sN", "--cacert", authority.path, "--limit-rate", "1M", address])
    _ = try await shown()
    for certificate in [second, first, second] {
      try put(certificate)
      #expect(try await served.server.reloadCertificate())
      #expect(
        try await shown() == "subject=CN = " + (certificate.path == first.path ? "first" : "second")
      )
    }
    let bad: [(String, String)] = [
      ("no certificate", "There is no certificate in this file"), ("", "is no PEM file"),
      (try String(contentsOfFile: first.path, encoding: .utf8), "This key is not that of"),
    ]
    for (text, words) in bad {
      try folder.write("cert.pem", text)
      let error = await #expect(throws: ServerError.self) {
        try await served.server.reloadCertificate()
      }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
      #expect(try await shown() == "subject=CN = second")
    }
    let result = try await slow.result()
    #expect(result.status == 0 && result.output == content)
    await served.stop()
  }

  @Test func `Without a certificate there is nothing to renew`() async throws {
    let served = try await SignedInServer()
    #expect(try await !served.server.reloadCertificate())
    await served.stop()
  }

  @Test func `What is wrong with a certificate or a key is named before anything is served`()
    async throws
  {
    let authority = try await CertificateAuthority.make()
    let (good, other) = (try await authority.sign("good"), try await authority.sign("other"))
    let folder = try TemporaryFolder()
    let text = try folder.write("text", "no certificate\n")
    let bytes = try folder.write("bytes", [0, 1, 2])
    let locked = folder.path("locked.key")
    try await runSuccessfully(
      "openssl",
      ["pkey", "-in", good.keyPath, "-out", locked, "-aes256", "-passout", "pass:secret"])
    let (now, day) = (Int64(Date().timeIntervalSince1970), Int64(86_400))
    let rows: [(certificate: String, key: String, now: Int64, words: String)] = [
      ("/no/such", good.keyPath, now, "/no/such: The file of --tls-cert cannot be read"),
      (good.path, "/no/such", now, "/no/such: The file of --tls-key cannot be read"),
      (folder.path, good.keyPath, now, "--tls-cert"),
      (bytes, good.keyPath, now, "\(bytes): The file of --tls-cert is no PEM file"),
      ("/dev/zero", good.keyPath, now, "/dev/zero: The file of --tls-cert is no PEM file"),
      (text, good.keyPath, now, "\(text): There is no certificate in this file"),
      (good.keyPath, good.path, now, "\(good.keyPath): There is no certificate in this file"),
      (good.path, text, now, "\(text): There is no private key in this file"),
      (good.path, locked, now, "\(locked): This key needs a password"),
      (good.path, other.keyPath, now, "\(other.keyPath): This key is not that of the certificate"),
      (
        good.path, good.keyPath, now + 3 * day, "\(good.path): The time of this certificate is over"
      ),
      (
        good.path, good.keyPath, now - 3 * day, "\(good.path): The time of this certificate has not"
      ),
    ]
    for row in rows {
      let error = #expect(throws: ServerError.self) {
        try ServerCertificate(certificate: row.certificate, key: row.key, now: row.now)
      }
      #expect(error?.code == .config)
      #expect(error?.description.contains(row.words) == true, "\(String(describing: error))")
    }
    _ = try ServerCertificate(certificate: good.path, key: good.keyPath, now: now)
    let error = await #expect(throws: ServerError.self) {
      try await SignedInServer { $0.tls = (good.path, other.keyPath) }
    }
    #expect(error?.description.contains("not that of the certificate") == true)
  }
}
