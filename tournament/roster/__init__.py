"""The people of one tournament: registrations and players in one list, with one import."""
