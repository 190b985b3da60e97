"""Edge: the pages that everybody may see. In: a host's services, a clock. Out: pages by their paths, as answers or as files."""
