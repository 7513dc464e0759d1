"""Questions in, proven answers out."""
