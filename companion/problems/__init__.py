"""Problems: positions of played games with one thing to find, made, checked and graded by the program itself."""
