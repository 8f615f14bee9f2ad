/* Time without interrupts: a counter in steps of 64 microseconds that runs on while the LEDs are written. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Differences are correct up to 4.19 seconds: the counter has 16 bits. */
typedef uint16_t ticks_t;

#define TICKS_OF_MS(ms) ((ticks_t)((ms) * (F_CPU / 1024UL) / 1000UL))

void clock_start(void);
ticks_t clock_now(void);

#endif
