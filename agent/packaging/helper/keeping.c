#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#define SIDE_MAX 1000
#define ORPHAN_MAX_S 86400

int keeping_parse(const char *line, struct keeping *keeping) {
  unsigned version;
  int end = 0;
  if (sscanf(line, "keep %4u %36s %7u %7u %7u %7u %n", &version, keeping->id, &keeping->columns, &keeping->rows,
             &keeping->orphan_s, &keeping->note_size, &end) != 6 || end == 0)
    return 0;
  if (version != KEEPER_VERSION || keeping->note_size > NOTE_MAX || keeping->orphan_s > ORPHAN_MAX_S) return 0;
  if (keeping->columns < 1 || keeping->columns > SIDE_MAX || keeping->rows < 1 || keeping->rows > SIDE_MAX) return 0;
  /* It names a file. */
  return strlen(keeping->id) == ID_SIZE && keeping->id[strspn(keeping->id, "0123456789abcdef-")] == '\0' ? end : 0;
}

int keeping_read_note(int fd, struct keeping *keeping) {
  for (size_t done = 0; done < keeping->note_size;) {
    ssize_t part = read(fd, keeping->note + done, keeping->note_size - done);
    if (part <= 0) return 0;
    done += (size_t)part;
  }
  return 1;
}

static const char *open_terminal(struct keeping *keeping) {
  keeping->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (keeping->master < 0) return "no terminal can be opened: ";
  char path[64];
  if (grantpt(keeping->master) < 0 || unlockpt(keeping->master) < 0 || ptsname_r(keeping->master, path, sizeof path) != 0)
    return "the terminal can't be used: ";
  keeping->tty = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (keeping->tty < 0) return "the terminal can't be used: ";
  /* No other shell of the same user can open it. */
  if (geteuid() == 0 && fchown(keeping->tty, 0, 0) < 0) return "the terminal can't be owned: ";
  struct winsize size = {.ws_row = (unsigned short)keeping->rows, .ws_col = (unsigned short)keeping->columns};
  struct termios modes;
  if (fchmod(keeping->tty, 0600) < 0 || tcgetattr(keeping->tty, &modes) < 0) return "the terminal can't be used: ";
  modes.c_iflag |= IUTF8;
  if (tcsetattr(keeping->tty, TCSANOW, &modes) < 0 || ioctl(keeping->tty, TIOCSWINSZ, &size) < 0) return "the terminal can't be used: ";
  return NULL;
}

/* Written by this user alone, read by the agent: a name in it can't be changed between a check and its use. */
static int make_folder(const struct keeping *keeping) {
  const struct passwd *agent = getpwuid(keeping->agent);
  gid_t group = agent ? agent->pw_gid : getegid();
  if (mkdir(keeping->folder, 0700) < 0 && errno != EEXIST) return -1;
  struct stat found;
  if (lstat(keeping->folder, &found) < 0) return -1;
  if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid()) {
    errno = EPERM;
    return -1;
  }
  if (geteuid() == keeping->agent) return chmod(keeping->folder, 0700);
  return chown(keeping->folder, geteuid(), group) < 0 ? -1 : chmod(keeping->folder, 0750);
}

static int open_listener(struct keeping *keeping) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s.sock", keeping->folder, keeping->id);
  if (length < 0 || (size_t)length >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  keeping->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (keeping->listener < 0) return -1;
  /* The folder says who reaches it. */
  mode_t mask = umask(0111);
  int bound = bind(keeping->listener, (struct sockaddr *)&address, sizeof address);
  umask(mask);
  return bound < 0 ? -1 : listen(keeping->listener, 4);
}

const char *keeping_open(struct keeping *keeping) {
  const char *failed = open_terminal(keeping);
  if (failed) return failed;
  if (make_folder(keeping) < 0) return "the folder of the terminals can't be made: ";
  return open_listener(keeping) < 0 ? "the terminal can't be kept: " : NULL;
}
