#define _GNU_SOURCE
#include "helper.h"
#include "keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILL_AFTER_MS = 5000 };

int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The foreground process group of a process's terminal (proc_pid_stat(5)); below 2 if unknown. */
static pid_t foreground_of(pid_t pid) {
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (length <= 0) return -1;
  text[length] = '\0';
  const char *rest = strrchr(text, ')');
  int group;
  return rest && sscanf(rest + 1, " %*c %*d %*d %*d %*d %d", &group) == 1 ? group : -1;
}

/* As a closed terminal window does: su(1), which takes no such signal, has its shell in the foreground. */
static void hang_up(pid_t pid) {
  pid_t foreground = foreground_of(pid);
  if (foreground > 1 && foreground != pid) kill(-foreground, SIGHUP);
  kill(-pid, SIGHUP);
}

void end_program(pid_t pid, int64_t begun) {
  if (now_ms() - begun < KILL_AFTER_MS) hang_up(pid);
  else kill(-pid, SIGKILL);
}

int reap(pid_t pid, struct ending *ending) {
  int status;
  if (waitpid(pid, &status, WNOHANG) != pid) return 0;
  ending->code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  ending->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending->kills = oom_kills();
  return 1;
}
