/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/* What players touch: buttons that draw PD2 to PD5 to ground, and a chain of 74HC165 on PC0 (load), PC1 (clock), PC2 (out). */
#ifndef CONTACTS_H
#define CONTACTS_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

void contacts_attach(avr_t *avr);
void contacts_button(int button, bool down);
void contacts_squares(uint64_t occupied); /* bit 0: the square whose contact comes out first */

#endif
