/* Buttons: a press or a release is told until the host has answered it, thrice at the most. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

#include "clock.h"

void buttons_start(void);
void buttons_serve(ticks_t now); /* as often as possible */
void buttons_answered(uint8_t number);

#endif
