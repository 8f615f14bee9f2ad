"""Help for whoever translates: every text that there is to translate, and what a language still lacks."""
