#define _GNU_SOURCE
#include "helper.h"
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define GROUPS_MAX 256
#define REQUEST_S 10

/* Major numbers of the slaves of pseudo terminals (pts(4)). */
enum { PTS_FIRST = 136, PTS_LAST = 143 };
/* The socket to the agent. */
enum { AGENT = STDIN_FILENO };

/* What the agent asks for: `open <number of the pts> <TERM> <LANG> <person>` on its terminal, or on one that is kept (keeper.h). */
struct request {
  unsigned pts;
  int is_kept;
  char term[65], lang[65], person[641];
};

static struct keeping keeping;

static void say(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length > 0) (void)send(AGENT, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1, MSG_NOSIGNAL);
}

static int refuse(const char *why, const char *what) {
  say("refused %s%s\n", why, what);
  /* What stays unread when this process ends resets the connection, and the reason would be lost. */
  char rest[LINE_MAX_SIZE];
  for (int times = 0; times < 256 && recv(AGENT, rest, sizeof rest, MSG_DONTWAIT) > 0; times++) continue;
  fprintf(stderr, "refused: %s%s\n", why, what);
  return EXIT_REFUSED;
}

static int only(const char *text, const char *allowed) {
  return text[0] != '\0' && text[strspn(text, allowed)] == '\0';
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static int read_line(char *line, size_t size) {
  size_t length = 0;
  do {
    if (length == size - 1 || read(AGENT, line + length, 1) != 1) return 0;
  } while (line[length++] != '\n');
  line[length - 1] = '\0';
  return strlen(line) == length - 1;
}

static int read_request(struct request *request) {
  char line[LINE_MAX_SIZE];
  if (!read_line(line, sizeof line)) return 0;
  int begin = keeping_parse(line, &keeping), end = 0;
  request->is_kept = begin > 0;
  if (!request->is_kept && (sscanf(line, "open %7u %n", &request->pts, &begin) != 1 || begin == 0)) return 0;
  const char *rest = line + begin;
  if (sscanf(rest, "%64s %64s %n", request->term, request->lang, &end) != 2 || end == 0) return 0;
  if (strlen(rest + end) >= sizeof request->person) return 0;
  strcpy(request->person, rest + end);
  for (const char *c = request->person; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) return 0;
  if (!only(request->term, LETTERS "+._-") || !only(request->lang, LETTERS "@._-")) return 0;
  return !request->is_kept || keeping_read_note(AGENT, &keeping);
}

/*
 * The terminal, if it is the agent's. It becomes root's: a shell writes on it by what it has open, and no other shell of the same
 * user can open it.
 */
static int take_terminal(unsigned pts, uid_t agent) {
  char path[32];
  snprintf(path, sizeof path, "/dev/pts/%u", pts);
  int tty = open(path, O_RDWR | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
  if (tty < 0) return -1;
  struct stat stat;
  if (fstat(tty, &stat) == 0 && S_ISCHR(stat.st_mode) && major(stat.st_rdev) >= PTS_FIRST && major(stat.st_rdev) <= PTS_LAST &&
      stat.st_uid == agent && fchown(tty, 0, 0) == 0 && fchmod(tty, 0600) == 0)
    return tty;
  close(tty);
  return -1;
}

static char *variable(const char *name, const char *value) {
  char *text;
  if (asprintf(&text, "%s=%s", name, value) < 0) _exit(EXIT_OS);
  return text;
}

/* Becomes the user, with the groups that this unit adds (SupplementaryGroups=). */
static int become(const struct passwd *user) {
  gid_t groups[GROUPS_MAX];
  int own = GROUPS_MAX / 2;
  if (getgrouplist(user->pw_name, user->pw_gid, groups, &own) < 0) return -1;
  int added = getgroups(GROUPS_MAX - own, groups + own);
  if (added < 0) return -1;
  /* Root's own group is no gift. */
  int count = own;
  for (int i = own; i < own + added; i++)
    if (groups[i] != 0) groups[count++] = groups[i];
  if (setgroups((size_t)count, groups) < 0 || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) < 0) return -1;
  return setresuid(user->pw_uid, user->pw_uid, user->pw_uid);
}

/* Gives a fresh process its terminal. */
static void enter_terminal(int tty) {
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (setsid() < 0 || ioctl(tty, TIOCSCTTY, 0) < 0) _exit(EXIT_OS);
  for (int fd = 0; fd <= 2; fd++)
    if (dup2(tty, fd) < 0) _exit(EXIT_OS);
}

static void run_shell(int tty, const struct passwd *user, const struct request *request, int pam) {
  enter_terminal(tty);
  char *environment[] = {
      variable("HOME", user->pw_dir),        variable("USER", user->pw_name),
      variable("LOGNAME", user->pw_name),    variable("SHELL", user->pw_shell),
      variable("LANG", request->lang),       variable("TERM", request->term),
      variable("COLORTERM", "truecolor"),    variable("WARREN_USER", request->person),
      variable("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"), NULL};
  if (pam) {
    if (chdir(user->pw_dir) < 0 && chdir("/") < 0) _exit(EXIT_OS);
    char *su[] = {"su", "-p", "-s", user->pw_shell, "--", user->pw_name, "-l", NULL};
    execve("/bin/su", su, environment);
    char *login[] = {"login", "-p", "-f", user->pw_name, NULL};
    execve("/bin/login", login, environment);
    fputs("This device has neither su nor login.\r\n", stderr);
    _exit(EXIT_OS);
  }
  if (become(user) < 0) _exit(EXIT_OS);
  if (chdir(user->pw_dir) < 0 && chdir("/") < 0) _exit(EXIT_OS);
  char *login_shell[] = {user->pw_shell, "-l", NULL};
  execve(user->pw_shell, login_shell, environment);
  fprintf(stderr, "%s: %s\r\n", user->pw_shell, strerror(errno));
  _exit(127);
}

/*
 * Waits for the end of the shell. `hangup` of the agent, or a stop of this unit, ends it as a closed terminal window does; when the
 * agent itself is gone, the kernel has hung up already, and what outlives that may.
 */
static int attend(pid_t pid, int signals) {
  struct pollfd watched[] = {{.fd = signals, .events = POLLIN}, {.fd = AGENT, .events = POLLIN}};
  int64_t begun = 0;
  for (;;) {
    if (poll(watched, 2, begun ? HANG_UP_MS : -1) < 0 && errno != EINTR) return EXIT_OS;
    struct signalfd_siginfo signal;
    int stop = 0;
    if ((watched[0].revents & POLLIN) && read(signals, &signal, sizeof signal) == sizeof signal) stop = signal.ssi_signo == SIGTERM;
    struct ending ending;
    if (reap(pid, &ending)) {
      say("exit %d %d %ld\n", ending.code, ending.signal, ending.kills);
      return 0;
    }
    if (watched[1].revents) {
      char said[64];
      if (read(AGENT, said, sizeof said) > 0) stop = 1;
      else watched[1].fd = -1;
    }
    if (stop && !begun) begun = now_ms();
    if (begun) end_program(pid, begun);
  }
}

/* The kernel is not to end, for what runs in the shell, the one that tells of it. */
static void stay_in_memory(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0 && write(fd, "-500", 4) < 0) perror("oom_score_adj");
  if (fd >= 0) close(fd);
}

static int watch_signals(void) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGCHLD);
  sigaddset(&wanted, SIGTERM);
  sigprocmask(SIG_BLOCK, &wanted, NULL);
  return signalfd(-1, &wanted, SFD_CLOEXEC);
}

static int is_agent(uid_t agent) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  struct timeval patience = {.tv_sec = REQUEST_S};
  setsockopt(AGENT, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return getsockopt(AGENT, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == agent;
}

int shell(const char *agent, const char *shell_user, int pam, const char *folder) {
  const struct passwd *known = getpwnam(agent);
  if (!known || !is_agent(known->pw_uid)) return refuse("only the agent may open a terminal", "");
  keeping.agent = known->pw_uid;
  keeping.folder = folder;
  struct request request;
  if (!read_request(&request)) return refuse("this is no request for a terminal", "");
  struct passwd *user = getpwnam(shell_user);
  if (!user) return refuse("this device has no user ", shell_user);
  const char *program = strrchr(user->pw_shell, '/');
  if (!program || strcmp(program, "/nologin") == 0 || strcmp(program, "/false") == 0)
    return refuse("this user of the device has no login shell: ", shell_user);
  if (!request.is_kept && (keeping.tty = take_terminal(request.pts, keeping.agent)) < 0)
    return refuse("this terminal is not the agent's", "");
  const char *failed = request.is_kept ? keeping_open(&keeping) : NULL;
  if (failed) return refuse(failed, strerror(errno));
  /* Users share one place in memory (getpwnam(3)). */
  user = getpwnam(shell_user);
  int signals = watch_signals();
  pid_t pid = signals < 0 || !user ? -1 : fork();
  if (pid < 0) return refuse("no process can be started: ", strerror(errno));
  if (pid == 0) run_shell(keeping.tty, user, &request, pam);
  close(keeping.tty);
  stay_in_memory();
  if (request.is_kept) return keep(&keeping, AGENT, pid, signals);
  say("started %d\n", pid);
  return attend(pid, signals);
}

int keep_program(const char *folder, char **program) {
  keeping.agent = geteuid();
  keeping.folder = folder;
  char line[LINE_MAX_SIZE];
  if (!is_agent(keeping.agent) || !read_line(line, sizeof line) || !keeping_parse(line, &keeping) || !keeping_read_note(AGENT, &keeping))
    return refuse("this is no request for a terminal", "");
  const char *failed = keeping_open(&keeping);
  if (failed) return refuse(failed, strerror(errno));
  /* It stays when the agent's session ends. */
  setsid();
  int signals = watch_signals();
  pid_t pid = signals < 0 ? -1 : fork();
  if (pid < 0) return refuse("no process can be started: ", strerror(errno));
  if (pid == 0) {
    enter_terminal(keeping.tty);
    execv(program[0], program + 1);
    fprintf(stderr, "%s: %s\r\n", program[0], strerror(errno));
    _exit(127);
  }
  close(keeping.tty);
  return keep(&keeping, AGENT, pid, signals);
}
