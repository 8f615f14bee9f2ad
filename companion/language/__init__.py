"""What the program says, in every language: sentences with parts, the catalogues of texts, numbers and plural forms.

`sentence` needs the standard library alone, so that rules and ledgers can say what is wrong; who shows a sentence
looks it up in a catalogue (`texts`) and words it (`wording`). `index` tells which file says what; `translating` helps
those who write catalogues.
"""
