"""Who asks: tokens, names, guards."""
