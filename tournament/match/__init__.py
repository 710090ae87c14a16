"""One game: two sides, the referee between them, luck, and what is known of a game under way."""
