"""The 22 perks: what module perks do, and passives of three kinds: triggers, modifiers and scoring."""
