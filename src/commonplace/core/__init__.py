"""Pure functions: text in, values out. Nothing here touches files, clocks, randomness, logging or the network."""
