"""Mail: `inbound` what comes, `outbound` what goes out, `oauth` the tokens that servers of both ask for."""
