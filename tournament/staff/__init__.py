"""Who works at an event: roles, invitations, passes, the rota."""
