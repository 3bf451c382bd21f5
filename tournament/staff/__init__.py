"""The staff of a tournament: roles, invitations, passes and the umpires' rota."""
