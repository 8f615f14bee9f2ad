/* Time without interrupts: a counter of 64 microseconds that goes on while the LEDs are being written. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Differences are right up to 4.19 seconds: the counter has 16 bits. */
typedef uint16_t ticks_t;

#define TICKS_OF_MS(ms) ((ticks_t)((ms) * (F_CPU / 1024UL) / 1000UL))

void clock_start(void);
ticks_t clock_now(void);

#endif
