import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

/// Values of the contract from and to JSON, as both sides send them.
package enum ContractJSON {
  /// Reads a value; unknown fields and values are passed over.
  ///
  /// - Throws: `ContractError`, which names the key that is missing or wrong. The caller bounds the bytes.
  package static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws(ContractError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw ContractError(error)
    } catch {
      throw ContractError(.notJSON, key: nil)
    }
  }

  /// Writes a value: keys sorted, slashes as they are, absent where nothing is known.
  ///
  /// - Throws: `ContractError` for a number that JSON cannot write (not a number, infinite).
  package static func encode(_ value: some Encodable) throws(ContractError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return [UInt8](try encoder.encode(value))
    } catch {
      throw ContractError(.notJSON, key: nil)
    }
  }
}
