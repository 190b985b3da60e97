"""Shell: the daemon. In: a configuration and a store. Out: loops that fetch, play, expire and send until it is told to stop."""
