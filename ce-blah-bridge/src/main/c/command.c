/*
 * The ends of a command's pipes; see command.h.
 */
#include "command.h"

#include <errno.h>
#include <unistd.h>

void command_close_end(struct command *cmd, int i) {
    if (cmd->fd[i] >= 0) {
        close(cmd->fd[i]);
        cmd->fd[i] = -1;
    }
}

bool command_take_output(struct command *cmd, int i) {
    char bytes[65536];
    ssize_t n = read(cmd->fd[i], bytes, sizeof bytes);
    if (n > 0) {
        struct buf *b = &cmd->output[i - 1];
        size_t room = cmd->max_output - buf_len(b);
        buf_add(b, bytes, (size_t)n < room ? (size_t)n : room);
        cmd->dropped += i == 1 && (size_t)n > room ? (size_t)n - room : 0;
        return true;
    }
    if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        command_close_end(cmd, i);
    }
    return false;
}
