import CCurl

/// One exchange's handle of curl with the header list that it borrows; both freed with the owner.
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let message: UnsafeMutablePointer<CChar>

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

  /// A fresh handle.
  init() throws(TransportFault) {
    guard Self.isReady, let pointer = curl_easy_init() else {
      throw TransportFault(.configuration, "libcurl cannot be initialised")
    }
    self.pointer = pointer
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headerList)
    message.deallocate()
  }

  /// Forgets every option; connections, sessions and the buffer stay.
  mutating func reset() {
    // curl_easy_reset forgets the names of cookie files without freeing them.
    _ = silo_easy_set_text(pointer, CURLOPT_COOKIEFILE, nil)
    curl_easy_reset(pointer)
    curl_slist_free_all(headerList)
    headerList = nil
    message.update(repeating: 0, count: Int(CURL_ERROR_SIZE))
    silo_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
  }

  /// Sets a number; `true` is 1.
  func set(_ option: CURLoption, _ value: Int) throws(TransportFault) {
    try check(silo_easy_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) throws(TransportFault) {
    try set(option, value ? 1 : 0)
  }

  /// Sets a text, which curl copies; `nil` takes it back.
  func set(_ option: CURLoption, _ value: String?) throws(TransportFault) {
    try check(silo_easy_set_text(pointer, option, value))
  }

  /// Sets the request's header fields, in order.
  mutating func set(headers: [String]) throws(TransportFault) {
    for line in headers {
      guard let list = curl_slist_append(headerList, line) else {
        throw TransportFault(.configuration, "out of memory")
      }
      headerList = list
    }
    try check(silo_easy_set_list(pointer, CURLOPT_HTTPHEADER, headerList))
  }

  private func check(_ code: CURLcode) throws(TransportFault) {
    if let fault = TransportFault(code, detail: "") { throw fault }
  }

  /// What curl said about the failure; empty when it said nothing.
  var detail: String { String(cString: message) }

  /// The absolute URL that a redirect names.
  var redirectURL: String? {
    var text: UnsafePointer<CChar>?
    guard silo_easy_get_text(pointer, CURLINFO_REDIRECT_URL, &text) == CURLE_OK, let text else {
      return nil
    }
    return String(cString: text)
  }
}
