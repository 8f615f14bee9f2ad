/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
#include "board.h"

#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "contacts.h"
#include "events.h"
#include "usart.h"

#define RAM_END 0x8FF
#define STACK_POINTER 0x5D
#define LOOP_WITHOUT_END 0xCFFF /* rjmp to itself */

static avr_t *avr;
static uint64_t held_until;
static uint64_t due; /* the cycle at which there is something to do outside of the controller */
static int variables_end, lowest_stack = RAM_END;
static void (*reset_of_core)(struct avr_t *avr);
static const char *why_reset;

/*
 * The processor goes to sleep; time has not to be waited for. The simulator is about to add so many cycles, up to its next
 * timer, so what is too much is taken away beforehand: past what is due here, and, when an interrupt came just before the
 * sleep, all of it, for the chip then wakes at once.
 */
static void sleeps(avr_t *chip, avr_cycle_count_t cycles)
{
    uint64_t left = due > chip->cycle ? due - chip->cycle : 0;
    if (avr_has_pending_interrupts(chip)) {
        left = 0;
        chip->state = cpu_Running;
    }
    if (cycles > left)
        chip->cycle -= cycles - left;
}

/* Every reset comes through here, also the watchdog's. */
static void resetting(avr_t *chip)
{
    if (reset_of_core)
        reset_of_core(chip);
    usart_reset();
    chain_pin_floats();
    event(chip->cycle, "reset", ", \"why\": \"%s\"", why_reset ? why_reset : "watchdog");
    why_reset = NULL;
}

void board_load(const char *elf)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(elf, &firmware)) {
        fprintf(stderr, "%s is no firmware.\n", elf);
        exit(1);
    }
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr) {
        fputs("This libsimavr knows no ATmega328P.\n", stderr);
        exit(1);
    }
    avr_init(avr);
    avr->frequency = 16000000;
    avr->log = LOG_NONE;
    avr->sleep = sleeps;
    avr_load_firmware(avr, &firmware);
    avr->frequency = 16000000;
    avr->flash[avr->flashend - 1] = LOOP_WITHOUT_END & 0xFF;
    avr->flash[avr->flashend] = LOOP_WITHOUT_END >> 8;
    variables_end = 0x100 + firmware.datasize + firmware.bsssize;
    usart_attach(avr);
    chain_attach(avr);
    contacts_attach(avr);
    usart_reset();
    reset_of_core = avr->reset;
    avr->reset = resetting;
}

uint64_t board_cycle(void)
{
    return avr->cycle;
}

int board_free_stack(void)
{
    return lowest_stack - variables_end + 1;
}

void board_reset(uint64_t cycles, const char *why)
{
    why_reset = why;
    avr_reset(avr);
    held_until = avr->cycle + cycles;
}

void board_hang(void)
{
    avr->pc = avr->flashend - 1;
    avr->state = cpu_Running;
}

static void run_on(void)
{
    if (avr->cycle < held_until) {
        avr->cycle = due < held_until ? due : held_until;
        return;
    }
    avr->run_cycle_limit = due > avr->cycle ? due - avr->cycle : 1;
    if (avr->run_cycle_count > avr->run_cycle_limit)
        avr->run_cycle_count = avr->run_cycle_limit; /* it was set for what was due the last time */
    int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
        event(avr->cycle, "crashed", ", \"pc\": %u", (unsigned)avr->pc);
        exit(2);
    }
    int stack = avr->data[STACK_POINTER] | avr->data[STACK_POINTER + 1] << 8;
    if (stack > 0x100 && stack < lowest_stack)
        lowest_stack = stack;
}

bool board_run(uint64_t until)
{
    while (avr->cycle < until) {
        uint64_t wire = usart_serve(), chain = chain_serve();
        due = until;
        if (wire < due)
            due = wire;
        if (chain < due)
            due = chain;
        run_on();
        if (events_met())
            return true;
    }
    return events_met();
}
