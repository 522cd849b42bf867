import SiloStore

/// The tables of accounts and of what lets a request in.
///
/// Secrets are kept as digests only.
enum AccountTables {
  static let migration = Migration(
    "accounts",
    """
    CREATE TABLE server (id TEXT NOT NULL) STRICT;
    CREATE TABLE account (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, password TEXT,
      role TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE profile (
      id TEXT PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE, pin TEXT, is_primary INTEGER NOT NULL,
      max_quality TEXT, created_at INTEGER NOT NULL, UNIQUE (account_id, name)
    ) STRICT;
    CREATE TABLE api_key (
      id TEXT PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      name TEXT, fingerprint BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE session (
      id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE token (
      fingerprint BLOB PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      kind TEXT NOT NULL, expires_at INTEGER NOT NULL, was_used INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX token_session ON token (session_id);
    CREATE TABLE profile_token (
      fingerprint BLOB PRIMARY KEY, profile_id TEXT NOT NULL REFERENCES profile ON DELETE CASCADE,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE device_code (
      fingerprint BLOB PRIMARY KEY, user_code TEXT NOT NULL UNIQUE, expires_at INTEGER NOT NULL,
      account_id INTEGER REFERENCES account ON DELETE CASCADE
    ) STRICT;
    """)

  /// Keys have numbers, of which none comes twice: what is ended by its number must not be another key by then.
  static let keyNumbers = Migration(
    "key-numbers",
    """
    CREATE TABLE numbered_key (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      label TEXT, fingerprint BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO numbered_key (account_id, label, fingerprint, created_at)
      SELECT account_id, name, fingerprint, created_at FROM api_key ORDER BY created_at, rowid;
    DROP TABLE api_key;
    ALTER TABLE numbered_key RENAME TO api_key;
    """)

  /// What a person is shown of a device, and what was decided.
  static let waitingDevices = Migration(
    "waiting-devices",
    """
    ALTER TABLE device_code ADD COLUMN name TEXT;
    ALTER TABLE device_code ADD COLUMN platform TEXT;
    ALTER TABLE device_code ADD COLUMN was_denied INTEGER NOT NULL DEFAULT 0;
    """)
}
