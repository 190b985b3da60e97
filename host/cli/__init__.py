"""Shell: the command line. In: arguments. Out: what is printed, and an exit status."""
