/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/* The emulated controller: the firmware's own binary with wire, chain and contacts around it, in simulated time. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

void board_load(const char *elf);
uint64_t board_cycle(void);

/* Go on until a cycle, or until what is awaited has happened; is it that? */
bool board_run(uint64_t until);

/* Reset, as by the wire's DTR; the program begins after so many cycles (its boot loader), and what comes until then is lost. */
void board_reset(uint64_t cycles, const char *why);

/* Let the program run into a loop without end, as a fault would. */
void board_hang(void);

/* The least number of bytes that lay free between variables and stack. */
int board_free_stack(void);

#endif
