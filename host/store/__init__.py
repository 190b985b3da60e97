"""Edge: the store. In and out: the rows of `schema`, through the functions of `store`; the only SQL of the house."""
