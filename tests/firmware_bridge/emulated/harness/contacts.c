/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
#include "contacts.h"

#include <simavr/avr_ioport.h>
#include <stddef.h>

enum { LOAD, CLOCK, OUT };
enum { FIRST_BUTTON = 2, LAST_BUTTON = 5 };

static avr_t *avr;
static avr_ioport_external_t buttons = {.name = 'D', .mask = 0x3C, .value = 0x3C};
static uint64_t occupied, shifting;
static bool loading, clock_high;

/* Set an input, so that it also outlasts the program's next write to the port. */
static void put(char port, avr_ioport_external_t external, int pin)
{
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), external.value >> pin & 1);
}

static void put_out(void)
{
    avr_ioport_external_t external = {.name = 'C', .mask = 1 << OUT, .value = (shifting & 1 ? 0 : 1) << OUT};
    put('C', external, OUT);
}

static void load_changed(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    loading = !value;
    if (loading) {
        shifting = occupied;
        put_out();
    }
}

static void clock_changed(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    if (value && !clock_high && !loading) {
        shifting >>= 1; /* the far end's serial input lies on supply: nothing there */
        put_out();
    }
    clock_high = value;
}

void contacts_attach(avr_t *chip)
{
    avr = chip;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), LOAD), load_changed, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), CLOCK), clock_changed, NULL);
    for (int pin = FIRST_BUTTON; pin <= LAST_BUTTON; pin++)
        put('D', buttons, pin);
    put_out();
}

void contacts_button(int button, bool down)
{
    int pin = FIRST_BUTTON + button;
    if (pin < FIRST_BUTTON || pin > LAST_BUTTON)
        return;
    buttons.value = down ? buttons.value & ~(1 << pin) : buttons.value | 1 << pin;
    put('D', buttons, pin);
}

void contacts_squares(uint64_t now)
{
    occupied = now;
}
