/*
 * The agent's helper for what its runtime and scripts cannot call: datagrams to systemd and, as root, files of another user
 * and login shells of another user, each in a separate unit, which outlive the agent.
 */
#include "helper.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a caller left open, such as terminals of other people, is not to be passed on. */
enum { FD_MAX = 4096 };

int main(int argc, char **argv) {
  /* Where an agent can pass a socket to its child. */
  int keeps = argc >= 5 && strcmp(argv[1], "keep") == 0;
  if (keeps && dup2(STDERR_FILENO + 1, STDIN_FILENO) < 0) return EXIT_USAGE;
  for (int fd = STDERR_FILENO + 1; fd < FD_MAX; fd++) close(fd);
  if (argc == 2 && strcmp(argv[1], "notify") == 0) return notify();
  if (keeps) return keep_program(argv[2], argv + 3);
  if ((argc == 5 || argc == 6) && strcmp(argv[1], "shell") == 0) {
    int pam = strcmp(argv[4], "pam") == 0;
    if (pam || strcmp(argv[4], "direct") == 0) return shell(argv[2], argv[3], pam, argc == 6 ? argv[5] : "/run/warren-agent-keepers");
  }
  if (argc == 4 && strcmp(argv[1], "read") == 0) return read_as_owner(argv[2], argv[3]);
  fputs("usage: helper notify | helper read <folder> <name> | helper shell <agent user> <shell user> pam|direct [<folder of sockets>]"
        " | helper keep <folder of sockets> <program> <argument 0> ...\n",
        stderr);
  return EXIT_USAGE;
}
