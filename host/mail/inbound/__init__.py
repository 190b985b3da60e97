"""Mail that comes in: fetched or taken by `imap` and `lmtp`, opened and read in the process of `sandbox`."""
