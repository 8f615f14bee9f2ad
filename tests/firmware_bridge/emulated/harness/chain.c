/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
#include "chain.h"

#include <simavr/avr_ioport.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

#define MOST 1024 /* LEDs */
#define CYCLES(ns) ((uint64_t)(ns) * 16 / 1000)
#define LATCH CYCLES(280000)

struct range {
    uint64_t least, most;
};

static avr_t *avr;
static uint8_t colours[3 * MOST]; /* green, red, blue */
static size_t bits;
static unsigned out_of_spec;
static uint64_t rose, fell;
static bool is_high;
static struct range highs[2], lows[2], periods;

static void widen(struct range *range, uint64_t cycles)
{
    if (!range->most || cycles < range->least)
        range->least = cycles;
    if (cycles > range->most)
        range->most = cycles;
}

static void begin(void)
{
    bits = out_of_spec = 0;
    is_high = false;
    memset(highs, 0, sizeof highs);
    memset(lows, 0, sizeof lows);
    memset(&periods, 0, sizeof periods);
}

static void tell(void)
{
    static char hex[6 * MOST + 1];
    size_t leds = bits / 24;
    for (size_t led = 0; led < leds; led++)
        snprintf(hex + 6 * led, 7, "%02x%02x%02x", colours[3 * led + 1], colours[3 * led], colours[3 * led + 2]);
    hex[6 * leds] = 0;
    event(fell, "frame",
          ", \"leds\": %zu, \"left_over_bits\": %zu, \"out_of_spec\": %u, \"pixels\": \"%s\","
          " \"ns\": {\"high_0\": [%.1f, %.1f], \"high_1\": [%.1f, %.1f], \"low_0\": [%.1f, %.1f], \"low_1\": [%.1f, %.1f],"
          " \"bit\": [%.1f, %.1f]}",
          leds, bits % 24, out_of_spec, hex, highs[0].least * 62.5, highs[0].most * 62.5, highs[1].least * 62.5,
          highs[1].most * 62.5, lows[0].least * 62.5, lows[0].most * 62.5, lows[1].least * 62.5, lows[1].most * 62.5,
          periods.least * 62.5, periods.most * 62.5);
    begin();
}

static void rise(void)
{
    if (bits) {
        uint64_t low = avr->cycle - fell, period = avr->cycle - rose;
        if (low >= LATCH)
            tell();
        else {
            bool one = colours[(bits - 1) / 8] >> (7 - (bits - 1) % 8) & 1;
            widen(&lows[one], low);
            widen(&periods, period);
            out_of_spec += low < CYCLES(580) + 1 || period > CYCLES(1850);
        }
    }
    rose = avr->cycle;
    is_high = true;
}

static void fall(void)
{
    if (!is_high)
        return; /* the first fall after a reset has no rise */
    is_high = false;
    fell = avr->cycle;
    uint64_t high = fell - rose;
    bool one = high >= CYCLES(500);
    widen(&highs[one], high);
    out_of_spec += one ? high < CYCLES(650) + 1 || high > CYCLES(850) : high < CYCLES(220) + 1 || high > CYCLES(380);
    if (bits < 24 * MOST) {
        uint8_t *byte = &colours[bits / 8];
        uint8_t mask = 0x80 >> bits % 8;
        *byte = one ? *byte | mask : *byte & ~mask;
        bits++;
    }
}

void chain_pin_floats(void)
{
    fall();
}

static void changed(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    if (value)
        rise();
    else
        fall();
}

void chain_attach(avr_t *chip)
{
    avr = chip;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), changed, NULL);
}

uint64_t chain_serve(void)
{
    if (bits && !is_high && avr->cycle >= fell + LATCH)
        tell();
    return bits && !is_high ? fell + LATCH : avr->cycle + LATCH;
}
