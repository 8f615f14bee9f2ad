/*
 * Outside a frame a window holds the last bytes, and each new byte is checked for what it completes. So no earlier byte
 * can hide a header. Within a frame bytes are only counted.
 *
 * Adalight: A d a, LEDs minus one (2 bytes, high first), their XOR with 0x55; then red, green, blue of each.
 * Awa: A w a and the same, then three check bytes over the colours. (Hyperion's and HyperSerial's sources.)
 */
#include "frame.h"

#include <string.h>

#define HEADER 6
#define LONGEST_ANSWER 11 /* $BA,255*HH and the newline */
#define WINDOW 16         /* a power of two */
#define BELIEVABLE 1024   /* a header for more LEDs is chance, so the bytes after it are not skipped */

enum state { HUNTING, COLOURS, CHECK, SKIPPING };

uint8_t frame_colours[3 * LEDS];
uint8_t frame_answered;

static enum state state;
static bool checked;      /* an Awa frame */
static bool loss_told;    /* a refusal for lost bytes was sent, with no header since */
static uint16_t expected; /* remaining bytes of the present part of the frame */
static uint8_t *led;      /* the place for the present LED's colours */
static uint8_t part;      /* 0 red, 1 green, 2 blue; or which check byte */

static uint8_t window[WINDOW];
static uint8_t newest; /* index of the newest byte */

/* The three sums of Awa, kept below 255 without division: at 1 Mbaud there are 160 cycles for each byte. */
static uint8_t sum, sum_of_sums, sum_by_place, place;
static bool differs;

static uint8_t ago(uint8_t bytes)
{
    return window[(uint8_t)(newest - bytes) % WINDOW];
}

static void hunt(void)
{
    state = HUNTING;
    memset(window, 0, sizeof window);
}

/* The sum modulo 255 of a number below 255 and any byte. */
static inline uint8_t add_255(uint8_t below, uint8_t byte)
{
    uint8_t total = below + byte;
    return total < byte || total == 255 ? total + 1 : total;
}

static enum frame_event header(void)
{
    uint8_t high = ago(2), low = ago(1), check = ago(0);
    checked = ago(4) == 'w';
    if (checked && high == 0x2A && low == 0xA2 && check == 0x15) {
        hunt();
        return FRAME_HELLO;
    }
    if ((high ^ low ^ 0x55) != check) {
        hunt();
        return FRAME_BAD_CHECKSUM;
    }
    uint16_t last = (uint16_t)high << 8 | low;
    loss_told = false;
    if (last >= LEDS) {
        hunt();
        if (last < BELIEVABLE) {
            state = SKIPPING;
            expected = 3 * (last + 1) + (checked ? 3 : 0);
        }
        return FRAME_TOO_LONG;
    }
    state = COLOURS;
    expected = 3 * (last + 1);
    led = frame_colours;
    part = 0;
    sum = sum_of_sums = sum_by_place = place = 0;
    differs = false;
    return FRAME_NOTHING;
}

/* The value of a hexadecimal digit, or 255. */
static uint8_t digit(uint8_t letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    letter |= 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 255;
}

/* Does the window end with $BA, a number with this many digits, its checksum and a newline? */
static bool answer(uint8_t digits)
{
    uint8_t first = digits + 7; /* bytes ago */
    if (ago(first) != '$' || ago(first - 1) != 'B' || ago(first - 2) != 'A' || ago(first - 3) != ',' || ago(3) != '*')
        return false;
    uint16_t number = 0;
    uint8_t check = 'B' ^ 'A' ^ ',';
    for (uint8_t back = 3 + digits; back > 3; back--) {
        uint8_t value = digit(ago(back));
        if (value > 9)
            return false;
        number = 10 * number + value;
        check ^= ago(back);
    }
    uint8_t high = digit(ago(2)), low = digit(ago(1));
    if (number > 255 || high > 15 || low > 15 || (high << 4 | low) != check)
        return false;
    frame_answered = number;
    return true;
}

static enum frame_event hunting(uint8_t byte)
{
    newest = (newest + 1) % WINDOW;
    window[newest] = byte;
    if (ago(HEADER - 1) == 'A' && ago(HEADER - 3) == 'a' && (ago(HEADER - 2) == 'd' || ago(HEADER - 2) == 'w'))
        return header();
    if (byte == '\n')
        for (uint8_t digits = 1; digits + 8 <= LONGEST_ANSWER; digits++)
            if (answer(digits)) {
                hunt();
                return FRAME_ANSWER;
            }
    return FRAME_NOTHING;
}

static enum frame_event ready(void)
{
    memset(led, 0, frame_colours + sizeof frame_colours - led); /* LEDs beyond the frame are dark */
    hunt();
    return FRAME_READY;
}

static enum frame_event colour(uint8_t byte)
{
    if (checked) {
        sum = add_255(sum, byte);
        sum_of_sums = add_255(sum_of_sums, sum);
        sum_by_place = add_255(sum_by_place, byte ^ place++);
    }
    if (part == 0)
        led[1] = byte;
    else if (part == 1)
        led[0] = byte;
    else
        led[2] = byte;
    if (++part == 3) {
        part = 0;
        led += 3;
    }
    if (--expected)
        return FRAME_NOTHING;
    if (!checked)
        return ready();
    state = CHECK;
    return FRAME_NOTHING;
}

uint8_t frame_take_colours(const uint8_t *bytes, uint8_t count)
{
    if (state != COLOURS || part)
        return 0;
    if (count >= expected)
        count = expected - 1; /* the last colour may complete the frame */
    uint8_t leds = count / 3;
    uint8_t s = sum, ss = sum_of_sums, sp = sum_by_place, at = place; /* in registers during the loop */
    for (uint8_t left = leds; left; left--, bytes += 3, led += 3) {
        uint8_t red = bytes[0], green = bytes[1], blue = bytes[2];
        led[0] = green;
        led[1] = red;
        led[2] = blue;
        if (checked) {
            s = add_255(s, red);
            ss = add_255(ss, s);
            sp = add_255(sp, red ^ at++);
            s = add_255(s, green);
            ss = add_255(ss, s);
            sp = add_255(sp, green ^ at++);
            s = add_255(s, blue);
            ss = add_255(ss, s);
            sp = add_255(sp, blue ^ at++);
        }
    }
    sum = s, sum_of_sums = ss, sum_by_place = sp, place = at;
    expected -= 3 * leds;
    return 3 * leds;
}

static enum frame_event check(uint8_t byte)
{
    /* The third sum is never sent as an A: a frame's end must not look like the start of a frame. */
    uint8_t right = part == 0 ? sum : part == 1 ? sum_of_sums : sum_by_place == 'A' ? 0xAA : sum_by_place;
    differs |= byte != right;
    if (++part < 3)
        return FRAME_NOTHING;
    if (!differs)
        return ready();
    hunt();
    return FRAME_BAD_CHECKSUM;
}

enum frame_event frame_take(uint8_t byte)
{
    switch (state) {
    case COLOURS:
        return colour(byte);
    case CHECK:
        return check(byte);
    case SKIPPING:
        if (--expected == 0)
            hunt();
        return FRAME_NOTHING;
    default:
        return hunting(byte);
    }
}

bool frame_receiving(void)
{
    return state == COLOURS || state == CHECK;
}

bool frame_silence(void)
{
    bool cut = frame_receiving();
    hunt();
    loss_told = false;
    return cut;
}

bool frame_garbled(void)
{
    bool cut = frame_receiving();
    if (cut)
        hunt();
    return cut;
}

bool frame_lost(void)
{
    bool tell = !loss_told;
    hunt();
    loss_told = true;
    return tell;
}
