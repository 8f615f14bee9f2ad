/* The wire to the host: 8N1; an interrupt receives into a ring, sending waits. */
#ifndef SERIAL_H
#define SERIAL_H

#ifndef __ASSEMBLER__
#include <stdint.h>

#define SERIAL_LOST 1    /* bytes came faster than they were read */
#define SERIAL_GARBLED 2 /* a byte without a stop bit: another speed, or a disturbed wire */

void serial_start(void);
void serial_write(uint8_t byte);

uint8_t serial_waiting(void); /* received bytes that were not taken yet */

/* The next waiting bytes in one piece; sets `count`, the number that wait, to the number in this piece. */
const uint8_t *serial_next(uint8_t *count);
void serial_taken(uint8_t count);

/*
 * The faults since the last call. If bytes were lost, the waiting ones are discarded: their frame is incomplete.
 * Call it after serial_waiting and before taking that many bytes: then the lost bytes came after them.
 */
uint8_t serial_take_faults(void);
#endif

#endif
