"""What effects bring about: one module for each family of verbs, all working on one `Working`."""
