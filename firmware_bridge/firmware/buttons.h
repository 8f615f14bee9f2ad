/* Buttons: the board reports a press or release until the host answers, at most three times. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

#include "clock.h"

void buttons_start(void);
void buttons_serve(ticks_t now); /* call it as often as possible */
void buttons_answered(uint8_t number);

#endif
