"""What every subject stands on: the event and its people, tables and hands; the log, rights, rules, refusals."""
