"""What effects do: each verb is declared once, with all that the rules know about it, and every table is derived."""
