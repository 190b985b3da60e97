"""Letters that go out: said in a `draft`, written by `render` from `templates`, made a message by `mime`, sent by `smtp`."""
