"""Shared parts of pages and endpoints: views, forms, template tags, texts, lists and their files."""
