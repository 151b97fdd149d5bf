/*
 * How this program may have become privileged; see privilege.h.
 */
#include "privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "buf.h"

/* Become accounts; give homes to them; end their workers. A file of root's needs no capability of root. */
static const struct {
    int number;
    const char *name;
} NEEDED[] = {
    {CAP_SETUID, "cap_setuid"}, {CAP_SETGID, "cap_setgid"}, {CAP_CHOWN, "cap_chown"}, {CAP_KILL, "cap_kill"}};

static void check_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &head, data)) {
        die("cannot read capabilities: %s", strerror(errno));
    }
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
        if (!(data[0].permitted & (1u << NEEDED[i].number))) {
            die("the file's capabilities lack %s: setcap cap_setuid,cap_setgid,cap_chown,cap_kill+ep", NEEDED[i].name);
        }
    }
}

/* Capabilities of a file are anybody's who may run it: that must be root's choice, by the file's group. */
static void check_file(void) {
    struct stat st;
    if (stat("/proc/self/exe", &st)) {
        die("cannot look at this program's file: %s", strerror(errno));
    }
    if (st.st_uid != 0 || (st.st_mode & 027)) {
        die("a program with capabilities must belong to root and have mode 0750 or less, its group that of the CE");
    }
}

bool privilege_take(void) {
    if (getuid() != geteuid() || getgid() != getegid()) {
        die("must not be installed setuid or setgid: its caller chooses its options");
    }
    if (geteuid() == 0 || !getauxval(AT_SECURE)) {
        return false;
    }
    check_capabilities();
    check_file();
    if (clearenv() || chdir("/")) {
        die("cannot leave the caller's environment: %s", strerror(errno));
    }
    /* From here on as if root had started it: what root owns is read and written as root, and leaving uid 0 drops all. */
    if (setgroups(0, NULL) || setresgid(0, 0, 0) || setresuid(0, 0, 0)) {
        die("cannot become root: %s", strerror(errno));
    }
    return true;
}
