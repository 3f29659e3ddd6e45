#define _GNU_SOURCE
#include "helper.h"
#include "keeper.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DRAIN_QUIET_MS = 200, DRAIN_MAX_MS = 2000, RETRY_MAX_MS = 50, PART_MS = 2000 };

struct keeper k;

static size_t room_for_output(uint8_t **at) {
  size_t room = 0;
  /* No later agent needs the output of a forgotten terminal. */
  uint64_t seen = k.forgotten ? k.output.end : k.output.seen;
  /* An agent that has just come reads from the start, below what was seen. */
  uint64_t needed = k.agent >= 0 && k.sent < seen ? k.sent : seen;
  if (k.asked->master >= 0 && !k.drained && (!k.paused || k.ended)) *at = output_room(&k.output, needed, k.ended, &room);
  return room;
}

static void read_output(void) {
  uint8_t *at = NULL;
  size_t room = room_for_output(&at);
  if (room == 0) return;
  ssize_t got = read(k.asked->master, at, room);
  if (got > 0) {
    output_add(&k.output, (size_t)got);
    k.last_output = now_ms();
  } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
    /* EIO: the last program has left the terminal. */
    k.drained = 1;
  }
}

/* A terminal does not tell when it takes input again. */
static void write_input(void) {
  size_t size, written = 0;
  const uint8_t *at;
  while (at = input_next(&k.input, &size), size > 0) {
    ssize_t part = k.drained ? (ssize_t)size : write(k.asked->master, at, size);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && errno == EAGAIN) break;
    if (part < 0) part = (ssize_t)size;
    input_written(&k.input, (size_t)part);
    written += (size_t)part;
  }
  if (written > 0) k.retry = 0;
  if (k.input.size > 0) k.retry = k.retry ? (k.retry * 2 < RETRY_MAX_MS ? k.retry * 2 : RETRY_MAX_MS) : 1;
  if (written == 0 || k.agent < 0) return;
  uint8_t *frame = sending_frame(&k.sending, FRAME_READ, 4);
  if (frame) put(frame, written, 4);
  else lose_agent();
}

/* Until when a terminal waits for an agent. A pin ends with the program, whose exit then waits as long as that of others. */
static int64_t orphan_end(void) {
  int64_t from = k.pin_s > 0 && k.ended && k.ended_at > k.lost ? k.ended_at : k.lost;
  int64_t end = from + (int64_t)k.asked->orphan_s * 1000;
  return k.pin_s > 0 && !k.ended && k.pin_end > end ? k.pin_end : end;
}

static void soonest(int64_t *wait, int64_t at) {
  int64_t left = at - now_ms();
  if (left < 0) left = 0;
  if (*wait < 0 || left < *wait) *wait = left;
}

/* Milliseconds until there is something to do, or -1. */
static int patience(void) {
  uint8_t *at = NULL;
  int64_t wait = -1;
  if (k.hanging_up && !k.ended) soonest(&wait, now_ms() + HANG_UP_MS);
  if (k.input.size > 0) soonest(&wait, now_ms() + k.retry);
  if (k.ended && !k.drained && room_for_output(&at) > 0) soonest(&wait, k.last_output + DRAIN_QUIET_MS);
  if (k.ended && !k.drained && k.forgotten) soonest(&wait, k.ended_at + DRAIN_MAX_MS);
  if (k.agent < 0 && !k.forgotten) soonest(&wait, orphan_end());
  /* A pin may be longer than poll(2) can wait. */
  return wait > INT_MAX ? INT_MAX : (int)wait;
}

/* Whether an ended program has no more output. What it left in the background may write for ever. */
static int is_drained(void) {
  uint8_t *at = NULL;
  int64_t now = now_ms();
  if (k.forgotten && now - k.ended_at >= DRAIN_MAX_MS) return 1;
  return room_for_output(&at) > 0 && now - k.last_output >= DRAIN_QUIET_MS;
}

static void attend_program(void) {
  if (!k.ended && reap(k.pid, &k.ending)) {
    k.ended = 1;
    k.last_output = k.ended_at = now_ms();
  }
  if (k.agent < 0 && !k.forgotten && now_ms() >= orphan_end()) {
    k.forgotten = 1;
    begin_hang_up();
  }
  if (k.hanging_up && !k.ended) end_program(k.pid, k.hanging_up);
  if (k.ended && !k.drained) k.drained = is_drained();
  if (!k.drained || !k.ended || k.asked->master < 0) return;
  /* What outlives the program loses its terminal. */
  close(k.asked->master);
  k.asked->master = -1;
}

static int is_over(void) {
  if (!k.ended || !k.forgotten) return 0;
  return k.agent < 0 || (k.drained && k.exit_sent && k.sending.size == 0);
}

static void take_signal(void) {
  struct signalfd_siginfo signal;
  if (read(k.signals, &signal, sizeof signal) != sizeof signal || signal.ssi_signo != SIGTERM) return;
  k.forgotten = 1;
  begin_hang_up();
}

static int attend_all(void) {
  while (!is_over()) {
    uint8_t *at = NULL;
    struct pollfd watched[] = {
        {.fd = k.signals, .events = POLLIN},
        {.fd = k.asked->listener, .events = POLLIN},
        {.fd = k.agent, .events = (short)((may_hear() ? POLLIN : 0) | (k.sending.size > 0 ? POLLOUT : 0))},
        {.fd = room_for_output(&at) > 0 ? k.asked->master : -1, .events = POLLIN},
    };
    if (poll(watched, 4, patience()) < 0 && errno != EINTR) return EXIT_OS;
    if (watched[0].revents) take_signal();
    if (watched[2].revents && may_hear()) hear();
    if (watched[1].revents) accept_agent();
    if (watched[3].revents) read_output();
    if (k.input.size > 0) write_input();
    attend_program();
    tell();
  }
  return 0;
}

/* Lets the agent read the exit: what it has said and nobody has heard would make the kernel drop that. */
static void part(void) {
  if (k.agent < 0 || shutdown(k.agent, SHUT_WR) < 0) return;
  struct pollfd agent = {.fd = k.agent, .events = POLLIN};
  for (int64_t left, until = now_ms() + PART_MS; (left = until - now_ms()) > 0;) {
    if (poll(&agent, 1, (int)left) < 0 && errno != EINTR) return;
    ssize_t got = recv(k.agent, k.heard, sizeof k.heard, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return;
  }
}

int keep(struct keeping *keeping, int agent, pid_t pid, int signals) {
  /* Nobody but root reads what is typed. */
  prctl(PR_SET_DUMPABLE, 0);
  k.asked = keeping;
  k.pid = pid;
  k.signals = signals;
  int status = output_make(&k.output) < 0 ? EXIT_OS : 0;
  if (status == 0) {
    attach(agent);
    tell();
    status = attend_all();
  } else {
    kill(-pid, SIGKILL);
  }
  char path[256];
  snprintf(path, sizeof path, "%s/%s.sock", keeping->folder, keeping->id);
  unlink(path);
  part();
  return status;
}
