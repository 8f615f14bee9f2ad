/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/*
 * The LED board without the board: the compiled firmware on an emulated ATmega328P.
 *
 *   ledboard FIRMWARE.elf                                        time stands still but for the commands run and until
 *   ledboard FIRMWARE.elf --pty [--link PATH] [--autoreset MS]   time is the wall's, the wire a pseudo-terminal
 *
 * Events are written on standard output (events.h), commands read from standard input, each answered by an event "done":
 *
 *   send HEX           bytes to the board            run MS             let time pass
 *   until WHAT MS      let time pass until an event, or a line that begins so; at the longest so long
 *   button N 0|1       let go, press                 squares HEX        bit n: a magnet on square n
 *   speed BAUD         the host's speed              faults FLIP LOSE   each so many bytes one bit flipped, one byte lost
 *   reset MS           as by DTR                     hang               run into an endless loop
 *   stack              tell the least free stack     mute 0|1           what the board says is lost
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "contacts.h"
#include "events.h"
#include "pty.h"
#include "usart.h"

#define CYCLES_PER_MS 16000
#define LONGEST_COMMAND 131072

static bool on_pty, mute;
static uint64_t autoreset;
static volatile sig_atomic_t ending;

static void end(int signal)
{
    (void)signal;
    ending = 1;
}

/* Lines of text are told as such; other bytes, as they come at a wrong speed, in between as hexadecimal. */
static void from_board(uint8_t byte)
{
    static char line[128];
    static size_t length;
    if (mute)
        return;
    if (on_pty)
        pty_write(byte);
    if (byte == '\n' || length >= 100) {
        line[length] = 0;
        length = 0;
        event(board_cycle(), "line", ", \"text\": \"%s\"", line);
        events_compare(line);
    }
    else if (byte >= ' ' && byte < 127 && byte != '"' && byte != '\\')
        line[length++] = byte;
    else
        length += snprintf(line + length, sizeof line - length, "<%02x>", byte);
}

static void send_hex(const char *hex)
{
    static uint8_t bytes[LONGEST_COMMAND / 2];
    size_t count = 0;
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        bytes[count++] = byte;
    usart_send(bytes, count);
}

static void command(char *line)
{
    char what[64] = "", word[64];
    double ms = 0;
    unsigned first = 0, second = 0;
    uint64_t bits = 0;
    bool met = false;
    sscanf(line, "%63s", what);
    const char *rest = line + strcspn(line, " ");
    rest += *rest == ' ';
    if (!strcmp(what, "send"))
        send_hex(rest);
    else if (!strcmp(what, "run") && sscanf(rest, "%lf", &ms) == 1)
        board_run(board_cycle() + (uint64_t)(ms * CYCLES_PER_MS));
    else if (!strcmp(what, "until") && sscanf(rest, "%63s %lf", word, &ms) == 2) {
        events_await(word);
        met = board_run(board_cycle() + (uint64_t)(ms * CYCLES_PER_MS));
        events_await(NULL);
    }
    else if (!strcmp(what, "button") && sscanf(rest, "%u %u", &first, &second) == 2)
        contacts_button(first, second);
    else if (!strcmp(what, "squares") && sscanf(rest, "%" SCNx64, &bits) == 1)
        contacts_squares(bits);
    else if (!strcmp(what, "speed") && sscanf(rest, "%u", &first) == 1)
        usart_host_speed(first);
    else if (!strcmp(what, "faults") && sscanf(rest, "%u %u", &first, &second) == 2)
        usart_faults(first, second);
    else if (!strcmp(what, "mute") && sscanf(rest, "%u", &first) == 1)
        mute = first;
    else if (!strcmp(what, "reset") && sscanf(rest, "%lf", &ms) == 1)
        board_reset((uint64_t)(ms * CYCLES_PER_MS), "asked");
    else if (!strcmp(what, "hang"))
        board_hang();
    else if (!strcmp(what, "stack"))
        event(board_cycle(), "stack", ", \"free\": %d", board_free_stack());
    else {
        event(board_cycle(), "unknown", ", \"command\": \"%s\"", what);
        return;
    }
    event(board_cycle(), "done", ", \"met\": %s", met ? "true" : "false");
}

/* Read what there is; false at the input's end. */
static bool commands(bool wait)
{
    static char input[LONGEST_COMMAND];
    static size_t length;
    struct pollfd asked = {.fd = STDIN_FILENO, .events = POLLIN};
    if (!wait && poll(&asked, 1, 0) <= 0)
        return true;
    ssize_t count = read(STDIN_FILENO, input + length, sizeof input - 1 - length);
    if (count <= 0)
        return false;
    length += count;
    input[length] = 0;
    char *line = input, *stop;
    while ((stop = strchr(line, '\n'))) {
        *stop = 0;
        command(line);
        line = stop + 1;
    }
    length -= line - input;
    memmove(input, line, length);
    return true;
}

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Keep simulated time at the wall's, a millisecond at once; a machine that was too slow for long is not made up for. */
static void run_with_the_wall(void)
{
    double offset = wall() - board_cycle() / 16e6;
    while (!ending && commands(false)) {
        if (pty_serve() && autoreset)
            board_reset(autoreset, "dtr");
        double behind = wall() - offset - board_cycle() / 16e6;
        if (behind > 0.5)
            offset += behind;
        if (behind < 0.001)
            poll(&(struct pollfd){.fd = STDIN_FILENO, .events = POLLIN}, 1, 1);
        else
            board_run(board_cycle() + CYCLES_PER_MS);
    }
    pty_close();
}

int main(int count, char **arguments)
{
    const char *firmware = NULL, *link = NULL;
    for (int i = 1; i < count; i++)
        if (!strcmp(arguments[i], "--pty"))
            on_pty = true;
        else if (!strcmp(arguments[i], "--link") && i + 1 < count)
            link = arguments[++i];
        else if (!strcmp(arguments[i], "--autoreset") && i + 1 < count)
            autoreset = strtoull(arguments[++i], NULL, 10) * CYCLES_PER_MS;
        else
            firmware = arguments[i];
    if (!firmware) {
        fputs("Name the firmware: ledboard FIRMWARE.elf [--pty] [--link PATH] [--autoreset MS]\n", stderr);
        return 1;
    }
    signal(SIGTERM, end);
    signal(SIGINT, end);
    events_open();
    board_load(firmware);
    usart_hear(from_board);
    if (on_pty)
        pty_open(link);
    event(board_cycle(), "ready", ", \"port\": \"%s\"", on_pty ? pty_name() : "");
    if (on_pty)
        run_with_the_wall();
    else
        while (!ending && commands(true))
            ;
    return 0;
}
