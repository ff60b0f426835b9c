"""Words to times: calendar arithmetic, the patterns of the grammar, and what completes and nests them."""
