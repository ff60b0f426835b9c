"""The pages of the bank that reflect writes, beside one for each entity (`slug.FOLDER`): paths in the workspace."""

OPINIONS = "bank/opinions.md"
REVIEW = "bank/review.md"
WORLD = "bank/world.md"
EXPERIENCE = "bank/experience.md"
