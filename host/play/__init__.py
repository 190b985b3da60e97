"""Pure: what happens around a game: hearing commands, deadlines, registration, queue and champion, names."""
