"""Pure: who sent a mail, as far as the mail can tell. In: headers. Out: whether authentication failed.

Only headers of the configured authserv-id count (RFC 8601); anybody can write the others. Missing is no failure.
"""

import re
from collections.abc import Sequence

_RESULT = re.compile(r"\b(dmarc|dkim|spf)\s*=\s*([a-z]+)", re.IGNORECASE)


def has_failed(authentication: Sequence[str], authserv_id: str) -> bool:
    """Does the topmost Authentication-Results of `authserv_id` say that the mail is not from its sender?

    DMARC decides where it speaks; without it, a failure of both DKIM and SPF.
    """
    if not authserv_id:
        return False
    for header in authentication:
        name, _, rest = header.partition(";")
        if name.split()[:1] == [authserv_id]:
            results = {method.lower(): result.lower() for method, result in reversed(_RESULT.findall(rest))}
            if "dmarc" in results:
                return bool(results["dmarc"] == "fail")
            return results.get("dkim") == "fail" and results.get("spf") in ("fail", "softfail")
    return False
