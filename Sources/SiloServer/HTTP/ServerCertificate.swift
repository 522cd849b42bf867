import CMicroHTTPD
import Glibc

import struct Foundation.Data
import struct Foundation.URL

/// What a server shows to clients that speak TLS: its certificate, those above it, and the key.
struct ServerCertificate: Sendable {
  /// The certificate and those above it, as PEM.
  let chain: String
  /// The private key, as PEM.
  let key: String

  /// Reads and checks both files; blocks.
  ///
  /// - Throws: `ServerError` that names the file and what is wrong with it: no certificate in it, a key with a password, the key
  ///   of another certificate, a certificate whose time is over or has not begun.
  init(
    certificate: String, key: String, now: Int64 = Int64(time(nil))
  ) throws(ServerError) {
    chain = try Self.text(of: certificate, "--tls-cert")
    self.key = try Self.text(of: key, "--tls-key")
    let fault = silo_tls_fault_of(chain, self.key, time_t(now))
    let (subject, message): (String, String)
    switch silo_tls_fault(rawValue: UInt32(fault)) {
    case silo_tls_good: return
    case silo_tls_no_certificate:
      (subject, message) = (certificate, "There is no certificate in this file; it has to be PEM.")
    case silo_tls_key_encrypted:
      (subject, message) = (key, "This key needs a password; give one without.")
    case silo_tls_other_key:
      (subject, message) = (key, "This key is not that of the certificate \(certificate).")
    case silo_tls_too_old:
      (subject, message) = (certificate, "The time of this certificate is over; renew it.")
    case silo_tls_too_new:
      (subject, message) = (
        certificate, "The time of this certificate has not begun; is the clock right?"
      )
    default: (subject, message) = (key, "There is no private key in this file; it has to be PEM.")
    }
    throw ServerError(.config, message, subject: subject)
  }

  private static func text(of path: String, _ option: String) throws(ServerError) -> String {
    // More than any chain has; a device that never ends must not be read.
    let most = 1 << 20
    let file = fopen(path, "r")
    guard let file else {
      throw ServerError(
        .config, "The file of \(option) cannot be read: \(String(cString: strerror(errno))).",
        subject: path)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: most + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0, (1...most).contains(count), !bytes[..<count].contains(0),
      let text = String(validating: bytes[..<count], as: UTF8.self)
    else {
      throw ServerError(.config, "The file of \(option) is no PEM file.", subject: path)
    }
    return text
  }
}
