#include "lines.h"

#include <avr/pgmspace.h>

#include "config.h"
#include "serial.h"

static uint8_t check;

static void letter(char which)
{
    check ^= which;
    serial_write(which);
}

static void text(const char *from_flash)
{
    char which;
    while ((which = pgm_read_byte(from_flash++)))
        letter(which);
}

static void number(uint16_t value)
{
    uint16_t unit = 1000; /* no board has more LEDs than that */
    while (unit > 1 && unit > value)
        unit /= 10;
    for (; unit; unit /= 10)
        letter('0' + value / unit % 10);
}

static void hexadecimal(uint8_t value)
{
    for (uint8_t shift = 8; shift;) {
        shift -= 4;
        uint8_t digit = value >> shift & 15;
        letter(digit < 10 ? '0' + digit : 'A' + digit - 10);
    }
}

static void begin(const char *what)
{
    serial_write('$');
    check = 0;
    text(what);
    letter(',');
}

static void end(void)
{
    uint8_t over_the_line = check;
    serial_write('*');
    hexadecimal(over_the_line);
    serial_write('\n');
}

void lines_hello(void)
{
    begin(PSTR("HI," NAME));
    number(VERSION);
    letter(',');
    number(LEDS);
    letter(',');
    number(BUTTONS);
    letter(',');
    number(SQUARES);
    end();
}

void lines_shown(uint8_t counter)
{
    begin(PSTR("OK"));
    number(counter);
    end();
}

void lines_refused(char reason)
{
    begin(PSTR("NO"));
    letter(reason);
    end();
}

void lines_button(uint8_t number_of_event, uint8_t button, uint8_t pressed)
{
    begin(PSTR("BT"));
    number(number_of_event);
    letter(',');
    number(button);
    letter(',');
    number(pressed);
    end();
}

void lines_squares(uint8_t number_of_change, const uint8_t *occupied, uint8_t bytes)
{
    begin(PSTR("SQ"));
    number(number_of_change);
    letter(',');
    while (bytes)
        hexadecimal(occupied[--bytes]);
    end();
}

void lines_idle(void)
{
    text(PSTR("Ada\n"));
}
