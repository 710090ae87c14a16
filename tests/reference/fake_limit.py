#!/usr/bin/env python3
"""What limit.cpp prints for a search of depth 2, without searching: 1,000 nodes a second, or 500 with `two`."""

import json
import sys

COUNTED = {
    "2": {"generated": 32, "expanded": 8, "evaluated": 25, "cutoffs": 5, "nodes_per_second": 1000},
    "2 two": {"generated": 41, "expanded": 8, "evaluated": 34, "cutoffs": 5, "nodes_per_second": 500},
}

depth, _, *told = sys.argv[1:]
print(json.dumps(COUNTED[" ".join((depth, *told))]))
