// The threads, descriptors and digests that every other target stands on.
