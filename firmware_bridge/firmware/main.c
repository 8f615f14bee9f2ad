/* The board: shows frames, answers each of them, reports what the players do. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdbool.h>
#include <util/delay.h>

#include "buttons.h"
#include "clock.h"
#include "config.h"
#include "frame.h"
#include "lines.h"
#include "serial.h"
#include "squares.h"
#include "ws2812.h"

#define LATCH_US 300
#define LATCH_TICKS (LATCH_US / 64 + 2)
#define BYTES_AT_ONCE 48 /* then come buttons and watchdog, however fast bytes arrive */

static ticks_t last_byte, last_sent, second_began;
static bool wire_rests = true; /* silent for longer than a frame may pause */
static bool idle_second;       /* no byte came since the start of the second */
static bool lit;
static uint8_t seconds_unlit; /* since the last shown frame */
static uint8_t shown;

/* After a watchdog reset the watchdog still runs, at its shortest: stop it before anything else. */
__attribute__((naked, used, section(".init3"))) void stop_watchdog(void)
{
    MCUSR = 0;
    wdt_disable();
}

static void start(void)
{
    DDRB |= _BV(LED_BIT);
    _delay_us(LATCH_US);
    ws2812_send(frame_colours, sizeof frame_colours, 0); /* the LEDs may have been lit before the reset */
    clock_start();
    serial_start();
    buttons_start();
    squares_start();
#if WATCHDOG
    wdt_enable(WDTO_250MS);
#endif
    sei();
    last_byte = second_began = clock_now();
    lines_hello();
}

static void send(uint8_t mask)
{
    /* A frame for few LEDs can arrive before the chain has latched the previous one. */
    while ((ticks_t)(clock_now() - last_sent) < LATCH_TICKS)
        ;
    ws2812_send(frame_colours, sizeof frame_colours, mask);
    last_sent = clock_now();
}

static void show(void)
{
    send(0xFF);
    lit = true;
    seconds_unlit = 0;
    lines_shown(++shown);
}

static void take(uint8_t byte)
{
    switch (frame_take(byte)) {
    case FRAME_READY:
        show();
        break;
    case FRAME_HELLO:
        lines_hello();
        break;
    case FRAME_ANSWER:
        buttons_answered(frame_answered);
        break;
    case FRAME_BAD_CHECKSUM:
        lines_refused('C');
        break;
    case FRAME_TOO_LONG:
        lines_refused('L');
        break;
    case FRAME_NOTHING:
        break;
    }
}

static void heed_faults(uint8_t faults)
{
    if (faults & SERIAL_LOST) {
        if (frame_lost())
            lines_refused('O');
    }
    else if (faults & SERIAL_GARBLED && frame_garbled())
        lines_refused('C');
}

static void take_all(uint8_t waiting)
{
    while (waiting) {
        uint8_t count = waiting;
        const uint8_t *bytes = serial_next(&count);
        uint8_t taken = frame_take_colours(bytes, count);
        if (!taken) {
            take(*bytes);
            taken = 1;
        }
        serial_taken(taken);
        waiting -= taken;
    }
}

static void serve_wire(void)
{
    uint8_t waiting = serial_waiting();
    uint8_t faults = serial_take_faults();
    if (faults) {
        heed_faults(faults);
        return;
    }
    if (waiting) {
        take_all(waiting < BYTES_AT_ONCE ? waiting : BYTES_AT_ONCE);
        last_byte = clock_now();
        wire_rests = idle_second = false;
    }
    else if (!wire_rests && (ticks_t)(clock_now() - last_byte) >= TICKS_OF_MS(SILENCE_WITHIN_FRAME)) {
        wire_rests = true;
        if (frame_silence())
            lines_refused('T');
    }
}

static void each_second(void)
{
    if (idle_second)
        lines_idle();
    idle_second = true;
    squares_second();
    if (lit && ++seconds_unlit > DARK_AFTER_SECONDS) {
        lit = false;
        send(0); /* masked, because half of a new frame may be in the buffer */
    }
}

/* A byte that arrives between the check and the sleep wakes at once: sei lets one more instruction run. */
static void sleep_until_interrupt(void)
{
    cli();
    if (!serial_waiting()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    start();
    for (;;) {
        wdt_reset();
        serve_wire();
        ticks_t now = clock_now();
        buttons_serve(now);
        squares_serve(now);
        if ((ticks_t)(now - second_began) >= TICKS_OF_MS(1000)) {
            second_began += TICKS_OF_MS(1000);
            each_second();
        }
        sleep_until_interrupt();
    }
}
