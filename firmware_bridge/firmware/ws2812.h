/* The LED chain's data line. */
#ifndef WS2812_H
#define WS2812_H

#include <stdint.h>

/*
 * Send bytes in the chain's own order (green, red, blue), each and-ed with a mask: 255 to show them, 0 for darkness.
 * Takes 33 microseconds an LED with interrupts off; bytes that arrive on the serial wire meanwhile go into its ring.
 * Between two calls the line must rest for 280 microseconds (older LEDs: 50); then the chain latches the colours.
 */
void ws2812_send(const uint8_t *colours, uint16_t bytes, uint8_t mask);

#endif
