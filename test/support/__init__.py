"""What the end-to-end tests share: servers that count, peers that misbehave, and carronade."""
