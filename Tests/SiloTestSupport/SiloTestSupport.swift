// What several test targets share.
