"""Mail: `inbound` comes, `outbound` goes out, `oauth` lets into both; `places`, `discovery` and `proving` find a new mailbox."""
