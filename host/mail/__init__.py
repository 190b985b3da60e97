"""Mail: `inbound` what comes, `outbound` what goes out, `oauth` and its two helpers the tokens that servers of both ask for."""
