/* Feeds standard input to frame.c, as main.c does; built with sanitizers, it ends badly at the first wrong access. */
#include <stdio.h>

#include "frame.h"

int main(void)
{
    static uint8_t bytes[1 << 16];
    unsigned long events[FRAME_TOO_LONG + 1] = {0};
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, stdin)))
        for (size_t at = 0; at < count;) {
            size_t left = count - at < 48 ? count - at : 48;
            uint8_t taken = frame_take_colours(bytes + at, left);
            if (!taken)
                events[frame_take(bytes[at])]++;
            at += taken ? taken : 1;
        }
    for (int event = 0; event <= FRAME_TOO_LONG; event++)
        printf("%lu\n", events[event]);
    return 0;
}
