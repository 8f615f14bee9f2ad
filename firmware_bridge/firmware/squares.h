/* Reed contacts or Hall switches under the squares: all of them are told when one changes, and each second. */
#ifndef SQUARES_H
#define SQUARES_H

#include "clock.h"

void squares_start(void);
void squares_serve(ticks_t now);
void squares_second(void); /* once a second */

#endif
