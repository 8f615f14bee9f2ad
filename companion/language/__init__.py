"""What the program says, in every language: sentences with parts, the catalogues of texts, numbers and plural forms.

`sentence` needs only the standard library, so that rules and ledgers can say what is wrong. Code that shows a sentence
looks it up in a catalogue (`texts`) and words it (`wording`). `index` lists which file says what; `checking` finds
what a catalogue lacks.
"""
