/* Timer 1 counts; timer 2 only wakes the sleeping processor each millisecond. */
#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>

void clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS12) | _BV(CS10); /* a tick every 1024 cycles */

    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22); /* 64 cycles */
    OCR2A = F_CPU / 64 / 1000 - 1;
    TIMSK2 = _BV(OCIE2A);
}

ticks_t clock_now(void)
{
    return TCNT1; /* no interrupt uses a 16-bit register, so the two halves match */
}

EMPTY_INTERRUPT(TIMER2_COMPA_vect)
