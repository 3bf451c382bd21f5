"""The rules, the calculator and the quiz as pages."""
