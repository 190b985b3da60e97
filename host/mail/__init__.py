"""Mail in and out: `inbox` and `outbox` speak IMAP and SMTP, `reply`, `sender` and `render` are pure."""
