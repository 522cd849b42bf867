/// A private authority, made with openssl, and the certificates that it signs.
package struct CertificateAuthority: Sendable {
  private let folder: TemporaryFolder

  /// The path of the authority's own certificate.
  package var path: String { folder.path("ca.pem") }

  /// A certificate with its key.
  package struct Certificate: Sendable {
    /// The path of the certificate.
    package let path: String
    /// The path of its key.
    package let keyPath: String
  }

  private static let newKey = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  /// Makes an authority.
  package static func make() async throws -> CertificateAuthority {
    let authority = CertificateAuthority(folder: try TemporaryFolder())
    try await authority.openssl(
      ["req", "-x509"] + newKey
        + ["-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=an authority"])
    return authority
  }

  /// Signs a certificate.
  ///
  /// - Parameters:
  ///   - name: Tells it from the others of this authority.
  ///   - subject: As openssl writes an alternative name: `IP:127.0.0.1`, `DNS:example.org`.
  ///   - days: How long it is valid; below 0 it has expired.
  package func sign(_ name: String, for subject: String = "IP:127.0.0.1", days: Int = 2)
    async throws -> Certificate
  {
    try folder.write(
      "\(name).names", "subjectAltName=\(subject)\nbasicConstraints=CA:FALSE\n")
    try await openssl(
      ["req"] + Self.newKey
        + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"])
    try await openssl([
      "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key",
      "-CAcreateserial", "-days", "\(days)", "-extfile", "\(name).names", "-out", "\(name).pem",
    ])
    return Certificate(path: folder.path("\(name).pem"), keyPath: folder.path("\(name).key"))
  }

  private func openssl(_ arguments: [String]) async throws {
    try await runSuccessfully("openssl", arguments, in: folder.path)
  }
}
