#ifndef WARREN_HELPER_H
#define WARREN_HELPER_H

#include <stdint.h>
#include <sys/types.h>

/* How a command ends, after sysexits(3). */
enum { EXIT_USAGE = 64, EXIT_OS = 71, EXIT_REFUSED = 77 };

/* Sends each line of standard input to systemd as one datagram (sd_notify(3)). */
int notify(void);

/*
 * Opens one login shell for the agent that asks on the socket at standard input, and waits for its end: on the agent's terminal, or on
 * one that it keeps while agents come and go (keeper.h), with its socket in `folder`.
 * Users are names: `agent` may ask, `shell_user` gets the shell, through PAM if `pam`.
 */
int shell(const char *agent, const char *shell_user, int pam, const char *folder);

/* Keeps a terminal of this user's for the agent that asks on the socket at standard input: the path of a program, and its arguments. */
int keep_program(const char *folder, char **program);

/* How often a program that is to end is signalled, in milliseconds. */
enum { HANG_UP_MS = 250 };
int64_t now_ms(void);
struct ending;
/* Whether the program has ended, and how. */
int reap(pid_t pid, struct ending *ending);
/* Hangs up, as a closed terminal window does, or kills what has not ended since `begun`. */
void end_program(pid_t pid, int64_t begun);

/*
 * Prints the first 2,000 bytes of a file in a folder of another user, with the rights of that user: between a check and its use the
 * file may become a link to one that only root may read. Follows no link, and waits for no pipe.
 */
int read_as_owner(const char *folder, const char *name);

/* Processes that the kernel killed in this process's cgroup for want of memory. */
long oom_kills(void);

#endif
