/* The ring has 256 bytes, so that its positions are single bytes that wrap automatically. ws2812.S also fills it. */
#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "config.h"

#define DIVIDER ((F_CPU + 4 * BAUD) / (8 * BAUD) - 1)
#define REACHED (F_CPU / 8 / (DIVIDER + 1))

/* 115200 is off by 2.1 %, which every host's receiver tolerates; 230400 would be off by 3.5 %. */
_Static_assert(DIVIDER < 4096, "BAUD is too low for this clock.");
_Static_assert(REACHED * 1000 <= BAUD * 1025 && REACHED * 1000 >= BAUD * 975,
               "BAUD cannot be made from this clock: use 115200, 250000, 500000 or 1000000.");

uint8_t serial_ring[256] __attribute__((aligned(256)));
volatile uint8_t serial_head;   /* where the next byte is written */
volatile uint8_t serial_tail;   /* where the next byte is read */
volatile uint8_t serial_status; /* if not zero: DOR0, bytes were lost; FE0, one was garbled */

#define FAULTS (_BV(DOR0) | _BV(FE0)) /* ws2812.S stores the same */

void serial_start(void)
{
    UBRR0 = DIVIDER;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A & FAULTS; /* refers to the byte that is read next */
    uint8_t byte = UDR0;
    uint8_t next = serial_head + 1;
    if (next == serial_tail)
        status |= _BV(DOR0);
    else {
        serial_ring[serial_head] = byte;
        serial_head = next;
    }
    if (status)
        serial_status |= status;
}

uint8_t serial_waiting(void)
{
    return serial_head - serial_tail;
}

const uint8_t *serial_next(uint8_t *count)
{
    uint8_t to_the_end = 255 - serial_tail; /* less one, because 8 bits cannot count 256 */
    if (*count > to_the_end)
        *count = to_the_end + !to_the_end;
    return &serial_ring[serial_tail];
}

void serial_taken(uint8_t count)
{
    serial_tail += count;
}

void serial_write(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

uint8_t serial_take_faults(void)
{
    uint8_t faults = 0;
    if (!serial_status) /* called for each byte, so it must be quick */
        return 0;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        if (serial_status & _BV(DOR0)) {
            faults |= SERIAL_LOST;
            serial_tail = serial_head;
        }
        if (serial_status & _BV(FE0))
            faults |= SERIAL_GARBLED;
        serial_status = 0;
    }
    return faults;
}
