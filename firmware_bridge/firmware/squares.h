/* Reed contacts or Hall switches under the squares: the board reports them all when one changes and every second. */
#ifndef SQUARES_H
#define SQUARES_H

#include "clock.h"

void squares_start(void);
void squares_serve(ticks_t now);
void squares_second(void); /* call it once a second */

#endif
