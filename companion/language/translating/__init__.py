"""Help for translators: every text to translate, and what a language still lacks."""
