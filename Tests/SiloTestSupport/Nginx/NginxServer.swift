import Foundation
import Glibc

/// nginx as Debian has it, on free ports of 127.0.0.1, with a folder of its own; stops with its last reference.
///
///     let nginx = try await NginxServer.start([.init(), .init(certificate: signed, directives: "limit_rate 1m;")])
///     nginx.url("/film.mkv", site: 1)
package final class NginxServer: Sendable {
  /// A port and how it answers; all of them serve one folder.
  package struct Site: Sendable {
    var certificate: CertificateAuthority.Certificate?
    var hasHTTP2: Bool
    var directives: String

    /// - Parameters:
    ///   - certificate: For TLS; `nil` for plain http.
    ///   - hasHTTP2: HTTP/2 over TLS.
    ///   - directives: More for the server block; connections of one peer are counted in the zone `peer`, and `PORT_0` is
    ///     the port of the first site.
    package init(
      certificate: CertificateAuthority.Certificate? = nil, hasHTTP2: Bool = false,
      directives: String = ""
    ) {
      self.certificate = certificate
      self.hasHTTP2 = hasHTTP2
      self.directives = directives
    }
  }

  private let folder: TemporaryFolder
  private let sites: [Site]
  private let ports: [Int]

  private init(folder: TemporaryFolder, sites: [Site], ports: [Int]) {
    self.folder = folder
    self.sites = sites
    self.ports = ports
  }

  deinit {
    if let text = try? String(contentsOfFile: folder.path("nginx.pid"), encoding: .utf8),
      let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    {
      kill(process, SIGTERM)
    }
  }

  /// Starts it; it listens when this returns.
  package static func start(_ sites: [Site]) async throws -> NginxServer {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("served"), withIntermediateDirectories: true)
    let start = ["-c", folder.path("nginx.conf"), "-e", folder.path("error.log")]
    // Somebody else may have a port, so there are several attempts; below the ports that the system hands out.
    var attempt = 0
    while true {
      attempt += 1
      let ports = sites.map { _ in Int.random(in: 20_000..<32_000) }
      try folder.write("nginx.conf", configuration(folder.path, sites, ports))
      let result = try await run("/usr/sbin/nginx", start)
      if result.status == 0 { return NginxServer(folder: folder, sites: sites, ports: ports) }
      guard attempt < 8 else { throw CommandFailure(description: "nginx: \(result.stderr)") }
    }
  }

  /// The port of a site.
  package func port(site: Int = 0) -> Int { ports[site] }

  /// The URL of a path at a site.
  package func url(_ path: String, site: Int = 0, host: String = "127.0.0.1") -> String {
    "\(sites[site].certificate == nil ? "http" : "https")://\(host):\(ports[site])\(path)"
  }

  /// Serves bytes at a path of every site; in place of what is there, as a new version.
  package func serve(_ bytes: [UInt8], at path: String) throws {
    try folder.write("served" + path, bytes)
  }

  /// The requests so far, one line each: site's port, method and path, protocol, status, range, connection, bytes of the body.
  package func log() throws -> [String] {
    String(decoding: try folder.read("access.log"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private static func configuration(_ folder: String, _ sites: [Site], _ ports: [Int]) -> String {
    // Workers of a master that is root would be somebody who may not enter the folder.
    let user = getuid() == 0 ? "user root;" : ""
    let servers = zip(sites, ports).map { site, port in
      let tls = site.certificate.map {
        "ssl_certificate \($0.path); ssl_certificate_key \($0.keyPath);"
      }
      var directives = site.directives
      for (site, port) in ports.enumerated() {
        directives = directives.replacingOccurrences(of: "PORT_\(site)", with: "\(port)")
      }
      return """
          server {
            listen 127.0.0.1:\(port)\(tls == nil ? "" : " ssl")\(site.hasHTTP2 ? " http2" : "");
            \(tls ?? "")
            root \(folder)/served;
            \(directives)
          }
        """
    }
    return """
      \(user)
      worker_processes 1;
      pid \(folder)/nginx.pid;
      events { worker_connections 256; }
      http {
        log_format plain '$server_port $request_method $uri $server_protocol $status '
                         '"$http_range" $connection $body_bytes_sent';
        access_log \(folder)/access.log plain;
        client_body_temp_path \(folder); proxy_temp_path \(folder); fastcgi_temp_path \(folder);
        uwsgi_temp_path \(folder); scgi_temp_path \(folder);
        default_type application/octet-stream;
        limit_conn_zone $binary_remote_addr zone=peer:1m;
      \(servers.joined(separator: "\n"))
      }
      """
  }
}
