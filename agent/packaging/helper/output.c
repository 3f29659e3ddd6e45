#define _GNU_SOURCE
#include "keeper.h"

#include <string.h>
#include <sys/mman.h>

int output_make(struct output *output) {
  void *bytes = mmap(NULL, OUTPUT_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) return -1;
  /* One huge page would be resident as a whole for a shell at its prompt. */
  (void)madvise(bytes, OUTPUT_MAX, MADV_NOHUGEPAGE);
  *output = (struct output){.bytes = bytes};
  return 0;
}

uint8_t *output_room(struct output *output, uint64_t needed, int last, size_t *room) {
  uint64_t used = output->end - needed, most = last ? OUTPUT_MAX : OUTPUT_MAX - OUTPUT_RESERVE;
  size_t at = output->end % OUTPUT_MAX, straight = OUTPUT_MAX - at;
  size_t free = used < most ? (size_t)(most - used) : 0;
  *room = free < straight ? free : straight;
  return output->bytes + at;
}

void output_add(struct output *output, size_t size) {
  output->end += size;
  if (output->end - output->start > OUTPUT_MAX) output->start = output->end - OUTPUT_MAX;
}

void output_see(struct output *output, uint64_t offset) {
  if (offset < output->start) offset = output->start;
  output->seen = offset > output->end ? output->end : offset;
}

size_t output_copy(const struct output *output, uint64_t offset, uint8_t *to, size_t most) {
  size_t size = output->end - offset < most ? (size_t)(output->end - offset) : most;
  size_t at = offset % OUTPUT_MAX, straight = OUTPUT_MAX - at;
  if (straight > size) straight = size;
  memcpy(to, output->bytes + at, straight);
  memcpy(to + straight, output->bytes, size - straight);
  return size;
}
