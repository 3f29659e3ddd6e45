#include "keeper.h"

#include <string.h>

static struct writer *latest(struct input *input, const uint8_t *name, uint8_t size) {
  struct writer found = {.name_size = size};
  memcpy(found.name, name, size);
  int at = 0;
  while (at < input->count && (input->writers[at].name_size != size || memcmp(input->writers[at].name, name, size) != 0)) at++;
  if (at < input->count) found = input->writers[at];
  else if (input->count < WRITERS_MAX) at = input->count++;
  else at = 0;
  memmove(input->writers + at, input->writers + at + 1, (size_t)(input->count - 1 - at) * sizeof found);
  input->writers[input->count - 1] = found;
  return &input->writers[input->count - 1];
}

int64_t input_take(struct input *input, uint64_t offset, const uint8_t *name, uint8_t name_size, const uint8_t *bytes, size_t size) {
  /* Before what it had may be overwritten: an agent that sends more than it may is wrong about all of it. */
  if (size > INPUT_MAX - input->size) return -1;
  struct writer *writer = name_size > 0 ? latest(input, name, name_size) : NULL;
  if (writer) {
    /* A writer that was forgotten begins where it is. */
    uint64_t known = writer->count < offset ? 0 : writer->count - offset;
    size_t had = known < size ? (size_t)known : size;
    if (writer->count < offset + size) writer->count = offset + size;
    bytes += had;
    size -= had;
  }
  for (size_t done = 0; done < size;) {
    size_t to = (input->at + input->size) % INPUT_MAX, part = INPUT_MAX - to;
    if (part > size - done) part = size - done;
    memcpy(input->bytes + to, bytes + done, part);
    input->size += part;
    done += part;
  }
  return writer ? (int64_t)writer->count : 0;
}

const uint8_t *input_next(const struct input *input, size_t *size) {
  *size = INPUT_MAX - input->at < input->size ? INPUT_MAX - input->at : input->size;
  return input->bytes + input->at;
}

void input_written(struct input *input, size_t size) {
  input->size -= size;
  /* Back to the first pages when it can: the others stay untouched. */
  input->at = input->size == 0 ? 0 : (input->at + size) % INPUT_MAX;
}
