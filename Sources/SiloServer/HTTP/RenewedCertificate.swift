import CMicroHTTPD

/// A certificate that came after the daemon was started; kept until the last connection that uses it is closed.
final class RenewedCertificate: Sendable {
  /// The address of GnuTLS' credentials: a number, because pointers may not travel.
  private let address: UInt

  /// Makes the credentials of a certificate that was checked; `nil` when GnuTLS does not take it.
  init?(_ certificate: ServerCertificate) {
    guard let credentials = silo_tls_credentials(certificate.chain, certificate.key) else {
      return nil
    }
    address = UInt(bitPattern: credentials)
  }

  deinit {
    guard let credentials = OpaquePointer(bitPattern: address) else { return }
    gnutls_certificate_free_credentials(credentials)
  }

  /// Shows this certificate on a connection whose handshake has not begun.
  func use(on connection: OpaquePointer) {
    guard let credentials = OpaquePointer(bitPattern: address) else { return }
    _ = silo_tls_use(connection, credentials)
  }
}
