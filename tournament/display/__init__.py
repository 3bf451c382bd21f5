"""How things read: tiles, winds, figures and countries in words. Shared by pages, documents and exports."""
