/*
 * Writes the LED chain and reads the serial wire at the same time, in counted cycles of 62.5 ns.
 *
 * What the makers of WS2812, WS2812B (first edition and 2017) and WS2812B-V5 require, and what this code sends:
 *
 *                     WS2812       WS2812B      2017         V5            here
 *   high of a 0, ns   200 to 500   250 to 550   220 to 380   220 to 380    312.5   (5 cycles)
 *   high of a 1, ns   550 to 850   650 to 950   580 to 1000  580 to 1000   687.5   (11 cycles)
 *   low after a 0     650 to 950   700 to 1000  580 to 1000  580 to 1000   1000    (16 cycles, 19 at the most)
 *   low after a 1     450 to 750   300 to 600   220 to 420   580 to 1000   625     (10 cycles, 13 at the most)
 *
 * Only the highs decide the value of a bit. The lows contradict each other between the editions, and a chain tolerates
 * any low far below the latch of 50 microseconds. These lows keep a bit within the 1250 +- 600 ns of the first edition.
 *
 * Twice a byte, so at least every 6 microseconds, the code polls the USART: it holds two bytes and at 1 Mbaud gets one
 * every 10 microseconds.
 */
#include <avr/io.h>

#include "config.h"

#define PORT _SFR_IO_ADDR(PORTB)

#define spare r1 /* the mask; zero again at the end, as the compiler requires */
#define high r18
#define low r19
#define faults r20
#define byte r21
#define status r22
#define tail r23 /* of the ring; X is where its next byte is written */

.macro wait_2
    rjmp .+0
.endm

.macro rise_and_fall bit /* cycles 0 to 5 of a bit: a 0 goes low again at cycle 5 */
    out PORT, high
    wait_2
    nop
    sbrs byte, \bit
    out PORT, low
.endm

.macro plain bit /* 21 cycles */
    rise_and_fall \bit
    wait_2
    wait_2
    nop
    out PORT, low
    wait_2
    wait_2
    wait_2
    wait_2
    nop
.endm

.macro listening bit /* 21 cycles, 22 if a byte had arrived, 23 if there was no room for it */
    rise_and_fall \bit
    lds status, UCSR0A
    or faults, status
    wait_2
    out PORT, low
    sbrs status, RXC0
    rjmp 1f
    lds status, UDR0
    st X, status
    inc XL /* the ring is aligned to 256 */
    cp XL, tail
    brne 2f
    dec XL
    ori faults, _BV(DOR0)
    rjmp 2f
1:  wait_2
    wait_2
    wait_2
2:
.endm

.global ws2812_send
.section .text.ws2812_send, "ax", @progbits
ws2812_send:
    movw ZL, r24
    movw r24, r22 /* remaining bytes */
    mov spare, r20
    in status, _SFR_IO_ADDR(SREG)
    push status
    cli
    lds XL, serial_head
    ldi XH, hi8(serial_ring)
    lds tail, serial_tail
    clr faults
    in high, PORT
    mov low, high
    ori high, _BV(LED_BIT)
    andi low, ~_BV(LED_BIT)
    ld byte, Z+
    and byte, spare

next:
    plain 7
    listening 6
    plain 5
    plain 4
    plain 3
    listening 2
    plain 1
    rise_and_fall 0 /* as `plain`, with the next byte fetched in the pauses */
    ld byte, Z+
    and byte, spare
    sbiw r24, 1
    out PORT, low
    breq done
    wait_2
    wait_2
    wait_2
    rjmp next

done:
    sts serial_head, XL
    andi faults, _BV(DOR0) | _BV(FE0)
    lds status, serial_status
    or status, faults
    sts serial_status, status
    pop status
    out _SFR_IO_ADDR(SREG), status
    clr r1
    ret
