#include "buttons.h"

#include "config.h"

#if BUTTONS

#include <avr/io.h>
#include <util/delay.h>

#include "lines.h"

#define UNANSWERED 4 /* events stored at once; a fifth replaces the oldest, which was reported at least once */
#define REPORTS 3

struct event {
    uint8_t number, button, pressed;
    uint8_t reports; /* remaining reports; 0: the place is free */
    ticks_t last;
};

static struct event events[UNANSWERED];
static uint8_t next_place, next_number;
static uint8_t pressed[BUTTONS], differing[BUTTONS]; /* successive samples of the opposite state */
static ticks_t sampled;

static uint8_t is_down(uint8_t button)
{
    return !(PIND & _BV(BUTTON_FIRST_BIT + button));
}

void buttons_start(void)
{
    for (uint8_t button = 0; button < BUTTONS; button++)
        PORTD |= _BV(BUTTON_FIRST_BIT + button);
    _delay_us(10); /* the pull-ups charge the wires */
    for (uint8_t button = 0; button < BUTTONS; button++)
        pressed[button] = is_down(button); /* a state at the start is not an event */
}

static void report(struct event *event, ticks_t now)
{
    event->last = now;
    event->reports--;
    lines_button(event->number, event->button, event->pressed);
}

static void happened(uint8_t button, ticks_t now)
{
    struct event *event = &events[next_place];
    next_place = (next_place + 1) % UNANSWERED;
    event->number = next_number++;
    event->button = button;
    event->pressed = pressed[button];
    event->reports = REPORTS;
    report(event, now);
}

static void sample(ticks_t now)
{
    for (uint8_t button = 0; button < BUTTONS; button++)
        if (is_down(button) == pressed[button])
            differing[button] = 0;
        else if (++differing[button] == BUTTON_SAMPLES) {
            differing[button] = 0;
            pressed[button] = !pressed[button];
            happened(button, now);
        }
}

void buttons_serve(ticks_t now)
{
    if ((ticks_t)(now - sampled) >= TICKS_OF_MS(1) + 1) {
        sampled = now;
        sample(now);
    }
    for (uint8_t place = 0; place < UNANSWERED; place++)
        if (events[place].reports && (ticks_t)(now - events[place].last) >= TICKS_OF_MS(BUTTON_REPEAT))
            report(&events[place], now);
}

void buttons_answered(uint8_t number)
{
    for (uint8_t place = 0; place < UNANSWERED; place++)
        if (events[place].reports && events[place].number == number)
            events[place].reports = 0;
}

#else

void buttons_start(void) {}
void buttons_serve(ticks_t now) { (void)now; }
void buttons_answered(uint8_t number) { (void)number; }

#endif
