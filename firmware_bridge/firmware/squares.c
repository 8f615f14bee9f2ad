/*
 * Each 74HC165 reads eight contacts, and the chips form a chain. A contact pulls its input to ground when a magnet is
 * near. The first bit out is input H of the chip nearest to the controller: square 0.
 */
#include "squares.h"

#include "config.h"

#if SQUARES

#include <avr/io.h>
#include <stdbool.h>
#include <string.h>
#include <util/delay.h>

#include "lines.h"

#define BYTES (SQUARES / 8)

static uint8_t told[BYTES], before[BYTES]; /* bit n of byte m: square 8 m + n */
static bool known;                         /* the first scan is done */
static uint8_t number;
static ticks_t scanned, reported;

void squares_start(void)
{
    DDRC |= _BV(SQUARES_LOAD_BIT) | _BV(SQUARES_CLOCK_BIT);
    PORTC |= _BV(SQUARES_LOAD_BIT) | _BV(SQUARES_DATA_BIT); /* pulled up: without the chips every square is empty */
}

static void scan(uint8_t *occupied)
{
    PORTC &= ~_BV(SQUARES_LOAD_BIT);
    _delay_us(1); /* for wires of a board's length, with 100 ohms in series */
    PORTC |= _BV(SQUARES_LOAD_BIT);
    for (uint8_t byte = 0; byte < BYTES; byte++) {
        uint8_t bits = 0;
        for (uint8_t bit = 0; bit < 8; bit++) {
            _delay_us(1);
            if (!(PINC & _BV(SQUARES_DATA_BIT)))
                bits |= 1 << bit;
            PORTC |= _BV(SQUARES_CLOCK_BIT);
            _delay_us(1);
            PORTC &= ~_BV(SQUARES_CLOCK_BIT);
        }
        occupied[byte] = bits;
    }
}

void squares_serve(ticks_t now)
{
    if ((ticks_t)(now - scanned) < TICKS_OF_MS(SQUARES_SCAN))
        return;
    scanned = now;
    uint8_t occupied[BYTES];
    scan(occupied);
    bool steady = !memcmp(occupied, before, BYTES);
    memcpy(before, occupied, BYTES);
    if (!steady || (known && !memcmp(occupied, told, BYTES)))
        return;
    if (known && (ticks_t)(now - reported) < TICKS_OF_MS(SQUARES_REPORT))
        return;
    known = true;
    reported = now;
    memcpy(told, occupied, BYTES);
    lines_squares(++number, told, BYTES);
}

void squares_second(void)
{
    if (known)
        lines_squares(number, told, BYTES);
}

#else

void squares_start(void) {}
void squares_serve(ticks_t now) { (void)now; }
void squares_second(void) {}

#endif
