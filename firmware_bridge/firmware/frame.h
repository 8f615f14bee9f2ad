/*
 * Understands what comes down the wire: frames of Adalight and Awa, the question who is there, the answer to a button.
 * Knows no hardware: the tests compile this very source for the computer that they run on.
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
    FRAME_ANSWER,       /* the host has understood the report of a button: frame_answered */
    FRAME_BAD_CHECKSUM, /* of a header, or of an Awa frame */
    FRAME_TOO_LONG,     /* for more LEDs than there are */
};

/* In the chain's order: green, red, blue. To be shown right after FRAME_READY; later a new frame is written over it. */
extern uint8_t frame_colours[3 * LEDS];
extern uint8_t frame_answered;

enum frame_event frame_take(uint8_t byte);

/* Of these bytes take those that are whole LEDs in the midst of a frame, quickly; return how many. Nothing comes of them. */
uint8_t frame_take_colours(const uint8_t *bytes, uint8_t count);

/* The wire was silent within a frame, or between the bytes of anything else: begin anew. Was there a frame to refuse? */
bool frame_silence(void);

/* A byte came garbled. Was there a frame to refuse? */
bool frame_garbled(void);

/* Bytes were lost. Is there a refusal to be sent: the first since a header was read? */
bool frame_lost(void);

/* Is the wire in the middle of a frame? */
bool frame_receiving(void);

#endif
