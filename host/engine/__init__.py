"""Pure: what a room may import: the shape of a game, the record, chance, cards, and how people write."""
