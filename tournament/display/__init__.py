"""What is drawn: tiles, codes for cameras, and how light or dark a page is. Shared by pages and documents."""
