"""One module a family of fans. A detector points out every fan it sees; which of them count is decided
elsewhere.
"""
