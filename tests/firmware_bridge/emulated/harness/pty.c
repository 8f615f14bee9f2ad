/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
#define _GNU_SOURCE
#include "pty.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "usart.h"

#define ROOM 64 /* bytes that the USB chip holds: a writer waits for more, as at the real wire */

static int master = -1;
static char name[128];
static const char *linked;
static bool is_open;

void pty_open(const char *link)
{
    int slave = -1;
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master >= 0 && !grantpt(master) && !unlockpt(master) && !ptsname_r(master, name, sizeof name))
        slave = open(name, O_RDWR | O_NOCTTY);
    if (slave < 0) {
        perror("pseudo-terminal");
        exit(1);
    }
    struct termios2 raw;
    if (!ioctl(slave, TCGETS2, &raw)) {
        raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
        ioctl(slave, TCSETS2, &raw);
    }
    close(slave); /* a hang-up at the master now means that nobody has it open */
    linked = link;
    if (link) {
        unlink(link);
        if (symlink(name, link)) {
            perror(link);
            exit(1);
        }
    }
}

int pty_fd(void)
{
    return master;
}

const char *pty_name(void)
{
    return linked ? linked : name;
}

static void heed_speed(void)
{
    struct termios2 now;
    if (!ioctl(master, TCGETS2, &now))
        usart_host_speed(now.c_ospeed);
}

int pty_serve(void)
{
    struct pollfd asked = {.fd = master, .events = POLLIN};
    if (poll(&asked, 1, 0) < 0)
        return 0;
    bool opened = !(asked.revents & POLLHUP) && !is_open;
    is_open = !(asked.revents & POLLHUP);
    if (asked.revents & POLLIN && usart_unsent() < ROOM) {
        uint8_t bytes[ROOM];
        ssize_t count = read(master, bytes, ROOM - usart_unsent());
        if (count > 0) {
            heed_speed();
            usart_send(bytes, count);
        }
    }
    return opened;
}

void pty_write(uint8_t byte)
{
    if (is_open && write(master, &byte, 1) != 1 && errno != EAGAIN && errno != EIO)
        perror("pty");
}

void pty_close(void)
{
    if (linked)
        unlink(linked);
    close(master);
}
