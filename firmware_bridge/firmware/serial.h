/* The wire to the host: 8N1, received by interrupt into a ring, sent by waiting. */
#ifndef SERIAL_H
#define SERIAL_H

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#define SERIAL_LOST 1    /* bytes came faster than they were taken */
#define SERIAL_GARBLED 2 /* a byte without a stop bit: another speed, or a disturbed wire */

void serial_start(void);
bool serial_waiting(void);
uint8_t serial_read(void); /* only while one waits */
void serial_write(uint8_t byte);

/* What went wrong since the last call. When bytes were lost, those that wait are thrown away: what they belong to is cut. */
uint8_t serial_take_faults(void);
#endif

#endif
