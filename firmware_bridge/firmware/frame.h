/*
 * Decodes the bytes from the host: frames of Adalight and Awa, the hello, the answer to a button's report.
 * Uses no hardware: the tests compile this source for the computer on which they run.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum frame_event {
    FRAME_NOTHING,
    FRAME_READY,        /* frame_colours holds a whole frame */
    FRAME_HELLO,        /* the host asks who is there */
    FRAME_ANSWER,       /* the host has received a button's report: frame_answered */
    FRAME_BAD_CHECKSUM, /* of a header, or of an Awa frame */
    FRAME_TOO_LONG,     /* for more LEDs than there are */
};

/* In the chain's order: green, red, blue. Show it right after FRAME_READY; the next frame overwrites it. */
extern uint8_t frame_colours[3 * LEDS];
extern uint8_t frame_answered;

enum frame_event frame_take(uint8_t byte);

/* Quickly take those bytes that are complete LEDs inside a frame; return how many. They cause no event. */
uint8_t frame_take_colours(const uint8_t *bytes, uint8_t count);

/* The wire was silent within a frame, or between the bytes of anything else: start again. Must a frame be refused? */
bool frame_silence(void);

/* A byte was garbled. Must a frame be refused? */
bool frame_garbled(void);

/* Bytes were lost. Must a refusal be sent: the first since the last header? */
bool frame_lost(void);

/* Is the wire in the middle of a frame? */
bool frame_receiving(void);

#endif
