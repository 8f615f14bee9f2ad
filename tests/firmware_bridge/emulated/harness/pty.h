/* SPDX-License-Identifier: GPL-3.0-or-later (see LICENSE.md) */
/* A pseudo-terminal in place of the USB wire: what a program writes there comes to the board, at the speed that it set. */
#ifndef PTY_H
#define PTY_H

#include <stdint.h>

void pty_open(const char *link); /* a stable name for it, or NULL */
int pty_fd(void);
const char *pty_name(void);

/* Take what the host wrote, as far as the wire has room. Did it open the port just now? */
int pty_serve(void);
void pty_write(uint8_t byte);
void pty_close(void);

#endif
