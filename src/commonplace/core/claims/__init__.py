"""What a fact claims of something that can be so in one way only at a time: `claims`, with slots and values.

Words come from `data/claims-LANGUAGE.json`; a false claim hides a true fact, so what is not understood claims nothing.
`core.succession` tells which claim follows which.
"""

from commonplace.core.claims.clause import Claim
from commonplace.core.claims.reading import claims

__all__ = ["Claim", "claims"]
