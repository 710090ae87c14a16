"""The page: play, explain, replay, watch and compare in a browser, from this machine alone."""
