"""A VO's CEs by DIRAC's reader of a BDII; Glue2IT runs it.

Arguments: host:port of a directory server, VO.
Prints one JSON object: what DIRAC found, by site.
"""

import json
import os
import sys

from DIRAC.Core.Utilities import Glue2

search = Glue2.ldapsearchBDII


def with_all_attributes(attr=None, **others):
    """DIRAC requests the attribute of the empty name for all; OpenLDAP 2.5 answers entries without attributes."""
    return search(attr=attr or "*", **others)


Glue2.ldapsearchBDII = with_all_attributes
result = Glue2.getGlue2CEInfo(sys.argv[2], host=sys.argv[1])
if not result["OK"]:
    raise AssertionError(result["Message"])
print(json.dumps(result["Value"]))
sys.stdout.flush()
# Without DIRAC's threads, which wait for a configuration service.
os._exit(0)
