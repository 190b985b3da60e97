"""Letters that go out: written by `render`, made a message by `mime`, sent by `smtp` and `pipeline`."""
