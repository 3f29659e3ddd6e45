#include "helper.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int notify(void) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || strlen(path) < 2 || strlen(path) >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) {
    fputs("NOTIFY_SOCKET: expected the path of a socket, or an abstract name after @\n", stderr);
    return EXIT_USAGE;
  }
  size_t length = strlen(path);
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return EXIT_OS;

  char line[2048];
  while (fgets(line, sizeof line, stdin)) {
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + length;
    /* systemd may be restarting: the next line tells it again. */
    if (sendto(fd, line, strcspn(line, "\n"), MSG_NOSIGNAL, (struct sockaddr *)&address, size) < 0) perror("sendto");
  }
  return 0;
}
