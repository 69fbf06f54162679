"""What stops the queue or a part of it for a while, and who put it."""
