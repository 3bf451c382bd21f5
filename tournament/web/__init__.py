"""What every page and every endpoint is made of: frames, forms, tags, texts, lists as files."""
