/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
#include "usart.h"

#include <simavr/avr_uart.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define UCSR0A 0xC0
#define UCSR0B 0xC1
#define UBRR0L 0xC4
#define UBRR0H 0xC5
#define UDR0 0xC6
enum { U2X = 1, DOR = 3, FE = 4, UDRE = 5, RXC = 7 }; /* bits of UCSR0A */
enum { TXEN = 3, RXEN = 4 };                         /* bits of UCSR0B */

#define WIRE 65536 /* bytes on their way to the board */
#define BITS 10

struct byte {
    uint8_t value;
    bool garbled;
};

static avr_t *avr;
static avr_uart_t *uart;

static struct byte buffer[2], shifted;
static int buffered;
static bool third_waits, overrun;

static uint8_t wire[WIRE];
static size_t wire_head, wire_tail;
static bool arriving;
static uint64_t arrives_at, free_at;
static uint32_t host_baud, flip_each, lose_each, counted;
static uint32_t chance = 0x2545F491;

static uint64_t sending_until, starts_at; /* of the byte that the board sent last */
static struct {
    uint8_t value;
    uint64_t at;
} outgoing[4];
static int outgoing_count;
static void (*hear)(uint8_t byte);

static uint32_t random_bits(void)
{
    chance ^= chance << 13;
    chance ^= chance >> 17;
    return chance ^= chance << 5;
}

static uint64_t board_byte(void)
{
    uint32_t divider = (avr->data[UBRR0L] | (avr->data[UBRR0H] & 15) << 8) + 1;
    return (uint64_t)BITS * (avr->data[UCSR0A] >> U2X & 1 ? 8 : 16) * divider;
}

static uint64_t host_byte(void)
{
    return host_baud ? (uint64_t)BITS * avr->frequency / host_baud : board_byte();
}

static bool speeds_differ(void)
{
    uint64_t board = board_byte(), host = host_byte();
    return (host > board ? host - board : board - host) * 1000 > board * 45;
}

/*
 * The simulator queues an interrupt each time that it is raised, and loses some for good when 64 are queued: as happens
 * when a program looks at many bytes with interrupts off. So one that still stands in the queue is only marked again.
 */
static bool queued(const avr_int_vector_t *vector)
{
    const avr_int_pending_t *queue = &avr->interrupts.pending;
    for (unsigned at = queue->read; at != queue->write; at = (at + 1) % avr_int_pending_fifo_size)
        if (queue->buffer[at] == vector)
            return true;
    return false;
}

static void tell_received(void)
{
    avr_clear_interrupt(avr, &uart->rxc);
    if (buffered && queued(&uart->rxc))
        uart->rxc.pending = 1;
    else if (buffered)
        avr_raise_interrupt(avr, &uart->rxc);
}

static void receive(struct byte byte)
{
    if (!(avr->data[UCSR0B] >> RXEN & 1))
        return;
    if (buffered < 2)
        buffer[buffered++] = byte;
    else {
        shifted = byte;
        third_waits = true;
    }
    tell_received();
}

static uint8_t read_status(avr_t *chip, avr_io_addr_t address, void *unused)
{
    (void)unused;
    uint8_t kept = chip->data[address] & (1 << U2X | 1);
    if (buffered)
        kept |= 1 << RXC | (buffer[0].garbled ? 1 << FE : 0);
    if (overrun)
        kept |= 1 << DOR;
    if (chip->cycle >= starts_at)
        kept |= 1 << UDRE;
    return chip->data[address] = kept;
}

static uint8_t read_byte(avr_t *chip, avr_io_addr_t address, void *unused)
{
    (void)unused;
    chip->data[address] = buffer[0].value;
    overrun = false;
    if (buffered) {
        buffer[0] = buffer[1];
        buffered--;
    }
    if (third_waits) {
        third_waits = false;
        buffer[buffered++] = shifted;
    }
    tell_received();
    return chip->data[address];
}

static void write_byte(avr_t *chip, avr_io_addr_t address, uint8_t value, void *unused)
{
    (void)address, (void)unused;
    if (!(chip->data[UCSR0B] >> TXEN & 1) || chip->cycle < starts_at || outgoing_count == 4)
        return; /* as the chip does with a byte for which there is no room */
    starts_at = chip->cycle > sending_until ? chip->cycle : sending_until;
    sending_until = starts_at + board_byte();
    outgoing[outgoing_count].value = value;
    outgoing[outgoing_count++].at = sending_until;
    chip->run_cycle_count = 1; /* leave the simulator's loop: something is due sooner now */
}

void usart_attach(avr_t *chip)
{
    avr = chip;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    if (!uart) {
        fputs("This libsimavr has no USART.\n", stderr);
        exit(1);
    }
    avr->io[AVR_DATA_TO_IO(UCSR0A)].r.c = read_status;
    avr->io[AVR_DATA_TO_IO(UDR0)].r.c = read_byte;
    avr->io[AVR_DATA_TO_IO(UDR0)].w.c = write_byte;
}

void usart_reset(void)
{
    buffered = outgoing_count = 0;
    third_waits = overrun = false;
    starts_at = sending_until = avr->cycle;
}

void usart_host_speed(uint32_t baud)
{
    host_baud = baud;
}

void usart_faults(uint32_t flip, uint32_t lose)
{
    flip_each = flip;
    lose_each = lose;
    counted = 0;
}

void usart_hear(void (*byte_from_board)(uint8_t byte))
{
    hear = byte_from_board;
}

void usart_send(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count && usart_unsent() < WIRE - 1; i++) {
        wire[wire_head] = bytes[i];
        wire_head = (wire_head + 1) % WIRE;
    }
}

size_t usart_unsent(void)
{
    return (wire_head + WIRE - wire_tail) % WIRE;
}

static void arrived(void)
{
    struct byte byte = {wire[wire_tail], false};
    wire_tail = (wire_tail + 1) % WIRE;
    arriving = false;
    free_at = arrives_at;
    counted++;
    if (lose_each && counted % lose_each == 0)
        return;
    if (flip_each && counted % flip_each == 0)
        byte.value ^= 1 << random_bits() % 8;
    if (speeds_differ()) {
        byte.value = random_bits();
        byte.garbled = random_bits() & 1;
    }
    receive(byte);
}

static void start_bit(void)
{
    if (third_waits) {
        third_waits = false;
        overrun = true;
        event(avr->cycle, "overrun", " ");
    }
    arriving = true;
    arrives_at = (free_at > avr->cycle ? free_at : avr->cycle) + host_byte();
}

uint64_t usart_serve(void)
{
    while (outgoing_count && outgoing[0].at <= avr->cycle) {
        uint8_t value = outgoing[0].value;
        memmove(outgoing, outgoing + 1, sizeof outgoing - sizeof outgoing[0]);
        outgoing_count--;
        hear(speeds_differ() ? random_bits() : value);
    }
    if (arriving && arrives_at <= avr->cycle)
        arrived();
    if (!arriving && usart_unsent()) {
        if (free_at + host_byte() < avr->cycle)
            free_at = avr->cycle; /* the wire was idle */
        start_bit();
    }
    uint64_t next = avr->cycle + avr->frequency;
    if (outgoing_count && outgoing[0].at < next)
        next = outgoing[0].at;
    if (arriving && arrives_at < next)
        next = arrives_at;
    return next;
}
