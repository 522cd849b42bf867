import SiloStore

/// Whose the files are: a finished file and an unfinished one each have one item that made them.
///
/// A row of the queue that has the same path is a wish and nothing more: nothing is removed, counted or listed for it.
enum FileOwnerTable {
  /// Adopts what can be told: a finished file by its source, or by the only finished item that has its path; an unfinished
  /// one by the only unfinished item of its path for which bytes arrived.
  static let migration = Migration(
    "file-owners",
    """
    ALTER TABLE finished_file ADD COLUMN item INTEGER;
    ALTER TABLE unfinished_file ADD COLUMN item INTEGER;
    UPDATE finished_file SET item = coalesce(
      (SELECT i.id FROM item i LEFT JOIN managed_item m ON m.item = i.id
        WHERE i.path = finished_file.path AND (i.source = finished_file.source
          OR substr(finished_file.source, 1, length(i.source) + 2) = i.source || ' #'
          OR m.name = finished_file.source)
        ORDER BY i.state = 'finished' DESC, i.id DESC LIMIT 1),
      (SELECT max(i.id) FROM item i WHERE i.path = finished_file.path AND i.state = 'finished'
        GROUP BY i.path HAVING count(*) = 1));
    INSERT OR IGNORE INTO unfinished_file (path, source)
      SELECT path, source FROM item WHERE path LIKE '/%' AND byte_count > 0
        AND state NOT IN ('finished', 'cancelled');
    UPDATE unfinished_file SET item =
      (SELECT max(i.id) FROM item i WHERE i.path = unfinished_file.path AND i.byte_count > 0
        AND i.state NOT IN ('finished', 'cancelled') GROUP BY i.path HAVING count(*) = 1);
    CREATE UNIQUE INDEX finished_file_item ON finished_file (item);
    CREATE INDEX unfinished_file_item ON unfinished_file (item)
    """)
}
