/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/*
 * The LED chain: reads the data pin (PB0), judges each pulse, and tells what the LEDs took over.
 *
 * A high is in specification at 220 to 380 ns (a 0) and 650 to 850 ns (a 1): what WS2812, WS2812B of both editions and
 * WS2812B-V5 all take. A low is at 580 ns and more, a bit from rise to rise at no more than 1850 ns. What is low for
 * 280 microseconds takes the colours over; a pause between the two is out of specification, for older LEDs latch at 50.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include <simavr/sim_avr.h>
#include <stdint.h>

void chain_attach(avr_t *avr);
void chain_pin_floats(void); /* as at a reset: the resistor draws it down, and what was sent so far is taken over */
uint64_t chain_serve(void); /* as usart_serve */

#endif
