"""What the games say: results, then tables, sentences, charts and files."""
