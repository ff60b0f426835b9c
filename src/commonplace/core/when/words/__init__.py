"""Text to words of the grammar of dates: lexer, lexicon, numerals, and what only looks like a date."""
