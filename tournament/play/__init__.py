"""What happens at the tables: sessions, the clock, hands, calls, absences, signing, sheets of paper."""
