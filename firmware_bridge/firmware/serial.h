/* The wire to the host: 8N1, received by interrupt into a ring, sent by waiting. */
#ifndef SERIAL_H
#define SERIAL_H

#ifndef __ASSEMBLER__
#include <stdint.h>

#define SERIAL_LOST 1    /* bytes came faster than they were taken */
#define SERIAL_GARBLED 2 /* a byte without a stop bit: another speed, or a disturbed wire */

void serial_start(void);
void serial_write(uint8_t byte);

uint8_t serial_waiting(void); /* bytes that have come and were not taken */

/* The next bytes that wait, in one piece; of so many that wait, `count` becomes those that lie in this piece. */
const uint8_t *serial_next(uint8_t *count);
void serial_taken(uint8_t count);

/*
 * What went wrong since the last call. When bytes were lost, those that wait are thrown away: what they belong to is cut.
 * To be asked after serial_waiting and before that many are taken: what was lost then came after them.
 */
uint8_t serial_take_faults(void);
#endif

#endif
