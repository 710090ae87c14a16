"""What is played. Each game is a package; what its `__init__` lists is what the rest of the house may ask of it."""
