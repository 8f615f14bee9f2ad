/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/*
 * USART0 as the chip has it, in place of libsimavr's (whose receiver holds 64 bytes and so hides what is lost): two bytes
 * are buffered, a third waits in the shift register, and the start bit of a fourth overwrites it.
 */
#ifndef USART_H
#define USART_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void usart_attach(avr_t *avr);
void usart_reset(void);

/* The host's side. Its bytes follow each other at its own speed; at one that differs by more than 4.5 % all is garbled. */
void usart_host_speed(uint32_t baud); /* 0: the same as the board's */
void usart_send(const uint8_t *bytes, size_t count);
size_t usart_unsent(void);
void usart_faults(uint32_t flip_each, uint32_t lose_each); /* of the bytes to the board; 0: none */
void usart_hear(void (*byte_from_board)(uint8_t byte));

/* Do what is due; return the cycle at which to come again. */
uint64_t usart_serve(void);

#endif
