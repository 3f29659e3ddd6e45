#define _GNU_SOURCE
#include "helper.h"
#include "keeper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DATA_MAX = 16 * 1024 };

void lose_agent(void) {
  if (k.agent >= 0) close(k.agent);
  k.agent = -1;
  k.paused = 0;
  k.heard_size = k.sending.size = 0;
  k.lost = now_ms();
  if (k.pin_s > 0 && !k.pin_end) k.pin_end = k.lost + (int64_t)k.pin_s * 1000;
}

void begin_hang_up(void) {
  if (!k.hanging_up) k.hanging_up = now_ms();
  /* Output of a paused program would hide its exit. */
  k.paused = 0;
}

/* Seconds that are left of a pin. */
static uint32_t pin_left(void) {
  int64_t left = k.pin_end - now_ms();
  if (!k.pin_end) return PIN_WAITS;
  return left > 0 ? (uint32_t)((left + 999) / 1000) : 0;
}

static void send_state(void) {
  size_t size = 24 + 8 + 6 + k.asked->note_size + 1 + 8;
  for (int i = 0; i < k.input.count; i++) size += 9 + k.input.writers[i].name_size;
  uint8_t *at = sending_frame(&k.sending, FRAME_STATE, size);
  if (!at) return;
  at = put(put(put(at, k.output.start, 8), k.output.end, 8), k.output.seen, 8);
  at = put(put(at, (uint64_t)k.pid, 4), k.input.size, 4);
  at = put(put(put(at, k.asked->columns, 2), k.asked->rows, 2), k.asked->note_size, 2);
  memcpy(at, k.asked->note, k.asked->note_size);
  at = put(at + k.asked->note_size, (uint64_t)k.input.count, 1);
  for (int i = 0; i < k.input.count; i++) {
    const struct writer *writer = &k.input.writers[i];
    at = put(put(at, writer->count, 8), writer->name_size, 1);
    memcpy(at, writer->name, writer->name_size);
    at += writer->name_size;
  }
  put(put(at, k.pin_s, 4), pin_left(), 4);
}

void attach(int agent) {
  char hello[32];
  int length = snprintf(hello, sizeof hello, "kept %d\n", KEEPER_VERSION);
  k.agent = agent;
  k.sent = k.output.start;
  k.exit_sent = 0;
  (void)sending_raw(&k.sending, hello, (size_t)length);
  send_state();
}

void accept_agent(void) {
  int agent = accept4(k.asked->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (agent < 0) return;
  if (getsockopt(agent, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.uid != k.asked->agent) {
    close(agent);
    return;
  }
  lose_agent();
  attach(agent);
}

static int hear_input(const uint8_t *payload, size_t size) {
  if (size < 9 || payload[8] > NAME_MAX_SIZE || size < 9u + payload[8]) return 0;
  const uint8_t *name = payload + 9, *bytes = name + payload[8];
  size_t count = size - 9u - payload[8], before = k.input.size;
  int64_t typed = input_take(&k.input, get(payload, 8), name, payload[8], bytes, count);
  if (typed < 0) return 0;
  size_t skipped = count - (k.input.size - before);
  uint8_t *at;
  if (payload[8] > 0) {
    if (!(at = sending_frame(&k.sending, FRAME_TYPED, 8u + payload[8]))) return 0;
    memcpy(put(at, (uint64_t)typed, 8), name, payload[8]);
  }
  if (skipped > 0) {
    if (!(at = sending_frame(&k.sending, FRAME_READ, 4))) return 0;
    put(at, skipped, 4);
  }
  return 1;
}

static int hear_size(const uint8_t *payload) {
  unsigned columns = (unsigned)get(payload, 2), rows = (unsigned)get(payload + 2, 2);
  if (columns < 1 || rows < 1) return 0;
  struct winsize window = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  k.asked->columns = columns;
  k.asked->rows = rows;
  if (k.asked->master >= 0 && ioctl(k.asked->master, TIOCSWINSZ, &window) < 0) perror("TIOCSWINSZ");
  return 1;
}

static int hear_note(const uint8_t *payload, size_t size) {
  if (size > NOTE_MAX) return 0;
  memcpy(k.asked->note, payload, size);
  k.asked->note_size = (unsigned)size;
  return 1;
}

static int hear_pin(const uint8_t *payload) {
  uint32_t seconds = (uint32_t)get(payload, 4), left = (uint32_t)get(payload + 4, 4);
  if (seconds > PIN_MAX_S || (left > seconds && left != PIN_WAITS)) return 0;
  k.pin_s = seconds;
  k.pin_end = seconds == 0 || left == PIN_WAITS ? 0 : now_ms() + (int64_t)left * 1000;
  return 1;
}

/* Returns 0 for what no agent says. */
static int hear_frame(uint8_t type, const uint8_t *payload, size_t size) {
  switch (type) {
    case FRAME_INPUT: return hear_input(payload, size);
    case FRAME_SEEN: if (size != 8) return 0; output_see(&k.output, get(payload, 8)); return 1;
    case FRAME_PAUSE: if (size != 1) return 0; k.paused = payload[0] == 1 && !k.hanging_up; return 1;
    case FRAME_SIZE: return size == 4 && hear_size(payload);
    case FRAME_HANG_UP: begin_hang_up(); return size == 0;
    case FRAME_FORGET: k.forgotten = 1; return size == 0;
    case FRAME_NOTE: return hear_note(payload, size);
    case FRAME_PIN: return size == 8 && hear_pin(payload);
    default: return 0;
  }
}

int may_hear(void) { return k.sending.size < FRAME_OUT_MAX + NOTE_MAX; }

void hear(void) {
  ssize_t got = recv(k.agent, k.heard + k.heard_size, sizeof k.heard - k.heard_size, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    lose_agent();
    return;
  }
  k.heard_size += (size_t)got;
  size_t at = 0;
  while (k.heard_size - at >= FRAME_HEAD) {
    size_t size = (size_t)get(k.heard + at, 4);
    if (size > FRAME_IN_MAX) {
      lose_agent();
      return;
    }
    if (k.heard_size - at - FRAME_HEAD < size) break;
    if (!hear_frame(k.heard[at + 4], k.heard + at + FRAME_HEAD, size)) {
      fputs("the agent sent what no agent sends\n", stderr);
      lose_agent();
      return;
    }
    at += FRAME_HEAD + size;
  }
  memmove(k.heard, k.heard + at, k.heard_size - at);
  k.heard_size -= at;
}

void tell(void) {
  while (k.agent >= 0) {
    if (sending_flush(&k.sending, k.agent) < 0) {
      lose_agent();
      return;
    }
    if (k.sending.size > 0) return;
    uint64_t left = k.output.end - k.sent;
    if (left > 0) {
      size_t size = left < DATA_MAX ? (size_t)left : DATA_MAX;
      uint8_t *at = sending_frame(&k.sending, FRAME_DATA, 8 + size);
      output_copy(&k.output, k.sent, put(at, k.sent, 8), size);
      k.sent += size;
    } else if (k.drained && k.ended && !k.exit_sent) {
      uint8_t *at = sending_frame(&k.sending, FRAME_EXIT, 16);
      put(put(put(at, (uint64_t)k.ending.code, 4), (uint64_t)k.ending.signal, 4), (uint64_t)k.ending.kills, 8);
      k.exit_sent = 1;
    } else {
      return;
    }
  }
}
