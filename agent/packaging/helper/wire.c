#include "keeper.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

uint8_t *put(uint8_t *at, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(number >> (8 * i));
  return at + bytes;
}

uint64_t get(const uint8_t *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << (8 * i);
  return number;
}

static uint8_t *room(struct sending *sending, size_t size) {
  if (sending->size == 0) sending->at = 0;
  if (sending->at + sending->size + size > sizeof sending->bytes) {
    memmove(sending->bytes, sending->bytes + sending->at, sending->size);
    sending->at = 0;
  }
  if (sending->size + size > sizeof sending->bytes) return NULL;
  uint8_t *at = sending->bytes + sending->at + sending->size;
  sending->size += size;
  return at;
}

uint8_t *sending_frame(struct sending *sending, char type, size_t size) {
  uint8_t *at = room(sending, FRAME_HEAD + size);
  if (!at) return NULL;
  at = put(at, size, 4);
  *at = (uint8_t)type;
  return at + 1;
}

int sending_raw(struct sending *sending, const void *bytes, size_t size) {
  uint8_t *at = room(sending, size);
  if (!at) return -1;
  memcpy(at, bytes, size);
  return 0;
}

int sending_flush(struct sending *sending, int fd) {
  while (sending->size > 0) {
    ssize_t sent = send(fd, sending->bytes + sending->at, sending->size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN ? 0 : -1;
    sending->at += (size_t)sent;
    sending->size -= (size_t)sent;
  }
  return 0;
}
