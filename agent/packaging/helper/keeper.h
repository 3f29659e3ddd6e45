#ifndef WARREN_KEEPER_H
#define WARREN_KEEPER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A keeper holds one terminal while agents come and go: its program, the last output, and a count of the input of each writer.
 *
 * Its agent asks for it by one line, `keep 1 <id> <columns> <rows> <seconds> <size> <TERM> <LANG> <person>`, and `size` bytes, a note,
 * that it gets back whenever it attaches; later agents connect to the socket `<id>.sock`. The keeper answers each with the line `kept 1`, or
 * `refused <why>`, and frames follow, both ways: the size of the payload (u32), a type (u8), the payload. Numbers are little-endian.
 */
enum { KEEPER_VERSION = 1, NOTE_MAX = 4096, ID_SIZE = 36, LINE_MAX_SIZE = 1024 };
enum { OUTPUT_MAX = 2 * 1024 * 1024, OUTPUT_RESERVE = 64 * 1024, INPUT_MAX = 64 * 1024 };
enum { PIN_MAX_S = 30 * 86400 };
#define PIN_WAITS UINT32_MAX
enum { NAME_MAX_SIZE = 192, WRITERS_MAX = 16, FRAME_HEAD = 5, FRAME_IN_MAX = 16 * 1024 + 512, FRAME_OUT_MAX = 32 * 1024 };

/* Frames of the agent. */
enum {
  FRAME_INPUT = 'I',  /* u64 offset in the writer's input, u8 size of its name, name, bytes */
  FRAME_SEEN = 'A',   /* u64 output before it may be overwritten */
  FRAME_PAUSE = 'P',  /* u8 1 to let the program wait, else 0 */
  FRAME_SIZE = 'S',   /* u16 columns, u16 rows */
  FRAME_HANG_UP = 'H',/* ends the program */
  FRAME_FORGET = 'F', /* nobody will ask for its exit again */
  FRAME_NOTE = 'M',   /* the note, in place of the former one */
  FRAME_PIN = 'L',    /* u32 seconds that the terminal is kept without an attachment, 0 for as long as others; u32 seconds that are left,
                         all bits set while somebody is attached */
};
/* Frames of the keeper. */
enum {
  FRAME_STATE = 'K', /* u64 start, end and seen of the output; u32 pid, u32 input that waits, u16 columns, u16 rows, u16 size of the note,
                        which follows; u8 writers, each u64 count, u8 size of its name, name; u32 and u32 as in a pin: a keeper of a
                        version before that takes no pin leaves them out */
  FRAME_DATA = 'D',  /* u64 offset, bytes */
  FRAME_TYPED = 'T', /* u64 count of a writer's bytes that the keeper has taken, name */
  FRAME_READ = 'W',  /* u32 bytes of input that the terminal has taken */
  FRAME_EXIT = 'E',  /* i32 code, i32 signal, u64 kills for want of memory; after all output */
};

/* What the agent asks for. */
struct keeping {
  char id[ID_SIZE + 1];
  unsigned columns, rows, orphan_s, note_size;
  unsigned char note[NOTE_MAX];
  uid_t agent;
  const char *folder;
  int master, tty, listener;
};

struct ending {
  int code, signal;
  long kills;
};

/* Output by offset: a ring whose pages are touched as it fills. What is not `seen` is never overwritten. */
struct output {
  uint8_t *bytes;
  uint64_t start, end, seen;
};
int output_make(struct output *output);
/* Where the next output goes, and how much of it: what is `needed` from an offset on stays. `last` uses the reserve. */
uint8_t *output_room(struct output *output, uint64_t needed, int last, size_t *room);
void output_add(struct output *output, size_t size);
void output_see(struct output *output, uint64_t offset);
size_t output_copy(const struct output *output, uint64_t offset, uint8_t *to, size_t most);

/* Input that waits for the program, and the count of each writer, the latest last. */
struct input {
  uint8_t bytes[INPUT_MAX];
  size_t at, size;
  struct writer {
    uint64_t count;
    uint8_t name_size;
    char name[NAME_MAX_SIZE];
  } writers[WRITERS_MAX];
  int count;
};
/* Takes what it does not have yet. Returns the writer's count, or -1 if there is no room. */
int64_t input_take(struct input *input, uint64_t offset, const uint8_t *name, uint8_t name_size, const uint8_t *bytes, size_t size);
/* The bytes to write next. */
const uint8_t *input_next(const struct input *input, size_t *size);
void input_written(struct input *input, size_t size);

/* What waits to be sent to the agent. */
struct sending {
  uint8_t bytes[FRAME_OUT_MAX * 2];
  size_t at, size;
};
/* Begins a frame, for a payload of that size, which is written at the returned place; NULL if there is no room. */
uint8_t *sending_frame(struct sending *sending, char type, size_t size);
int sending_raw(struct sending *sending, const void *bytes, size_t size);
/* Returns -1 when the agent is gone. */
int sending_flush(struct sending *sending, int fd);

uint8_t *put(uint8_t *at, uint64_t number, int bytes);
uint64_t get(const uint8_t *at, int bytes);

struct keeper {
  struct keeping *asked;
  struct output output;
  struct input input;
  struct sending sending;
  uint8_t heard[FRAME_HEAD + FRAME_IN_MAX];
  size_t heard_size;
  uint64_t sent;
  int agent, signals;
  pid_t pid;
  struct ending ending;
  int paused, ended, drained, forgotten, exit_sent;
  uint32_t pin_s;
  /* Milliseconds; 0 for never, and for a pin that does not run out while somebody is attached. */
  int64_t hanging_up, lost, last_output, ended_at, retry, pin_end;
};

/* The one of this process. */
extern struct keeper k;

void attach(int agent);
/* The latest agent replaces the one before it. */
void accept_agent(void);
void lose_agent(void);
/* Answers to input need room: without it the agent waits, until it reads. */
int may_hear(void);
void hear(void);
/* Passes on output and the exit, as far as the agent reads. */
void tell(void);
void begin_hang_up(void);

/* Parses the agent's line. Returns where TERM begins, or 0 if it is no such line. */
int keeping_parse(const char *line, struct keeping *keeping);
/* Reads what follows the line. */
int keeping_read_note(int fd, struct keeping *keeping);
/* Opens the terminal, and the socket for later agents. Returns NULL or what failed. */
const char *keeping_open(struct keeping *keeping);
/* Attends to the program `pid` for the agent at `agent`, and for those that follow, until it has ended. */
int keep(struct keeping *keeping, int agent, pid_t pid, int signals);

#endif
