/* The board's speeds, sizes and pins. Every size is a flag of the Makefile; README.md lists the pins. */
#ifndef CONFIG_H
#define CONFIG_H

#ifndef BAUD
#define BAUD 115200UL
#endif
#ifndef LEDS
#define LEDS 128
#endif
#ifndef BUTTONS
#define BUTTONS 1
#endif
#ifndef SQUARES
#define SQUARES 0
#endif
#ifndef WATCHDOG
#define WATCHDOG 1
#endif

#if LEDS < 1 || LEDS > 341
#error "LEDS must be from 1 to 341: a colour of each is kept in 2 kB of RAM."
#endif
#if BUTTONS < 0 || BUTTONS > 4
#error "BUTTONS must be from 0 to 4: they hang on pins 2 to 5."
#endif
#if SQUARES < 0 || SQUARES > 64 || SQUARES % 8
#error "SQUARES must be a multiple of 8 up to 64: eight hang on each shift register."
#endif

#define NAME "alea"
#define VERSION 1

/* Data of the LED chain: pin 8 of an Uno or Nano. ws2812.S also uses this port by name. */
#define LED_BIT 0 /* PB0 */

/* Buttons to ground: pins 2 to 5, with the chip's own pull-ups. */
#define BUTTON_FIRST_BIT 2 /* PD2 */

/* The chain of 74HC165 that reads the squares: pins A0, A1 and A2. */
#define SQUARES_LOAD_BIT 0  /* PC0 to SH/LD of every chip */
#define SQUARES_CLOCK_BIT 1 /* PC1 to CLK of every chip */
#define SQUARES_DATA_BIT 2  /* PC2 from QH of the chip nearest to the controller */

/* Times, in milliseconds unless named otherwise. */
#define SILENCE_WITHIN_FRAME 50 /* after a gap of this length the board drops a frame */
#define DARK_AFTER_SECONDS 60   /* without a shown frame */
#define BUTTON_SAMPLES 5        /* one a millisecond; a contact bounces for 1 to 5 ms */
#define BUTTON_REPEAT 200       /* until answered, three times in all */
#define SQUARES_SCAN 5
#define SQUARES_REPORT 50 /* at most one report of a change in this time: a bouncing contact must not fill the wire */

#endif
