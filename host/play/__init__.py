"""Pure: what happens around a game: hearing commands, deadlines, registration forms, queue and champion, names."""
