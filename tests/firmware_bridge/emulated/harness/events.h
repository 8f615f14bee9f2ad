/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/* What the emulation tells: one JSON object a line on the first standard output, each with the simulated time. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Take standard output over; what the simulator itself prints goes nowhere from now on. */
void events_open(void);

/* Tell an event; the format makes further members, each beginning with a comma. The clock is in cycles of 62.5 ns. */
void event(uint64_t cycle, const char *kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Wait for this: an event's kind, or the beginning of a line that the board sends. NULL: nothing is waited for. */
void events_await(const char *what);
bool events_met(void);
void events_compare(const char *what);

#endif
