/* What the board says: lines like $OK,7*5B; the two digits are the XOR of everything between $ and *. */
#ifndef LINES_H
#define LINES_H

#include <stdint.h>

void lines_hello(void);
void lines_shown(uint8_t counter);
void lines_refused(char reason); /* C checksum, L too long, T silence inside, O bytes lost */
void lines_button(uint8_t number, uint8_t button, uint8_t pressed);
void lines_squares(uint8_t number, const uint8_t *occupied, uint8_t bytes); /* the last byte has the highest squares */
void lines_idle(void); /* Ada: hosts that know only Adalight find the board by it */

#endif
