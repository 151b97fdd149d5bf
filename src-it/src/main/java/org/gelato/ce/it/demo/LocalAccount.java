package org.gelato.ce.it.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The account jobs run as: never root.
 *
 * @param isOwn whether it is the account of this process, so that there is no switching
 */
record LocalAccount(String name, int uid, boolean isOwn) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,31}");
    private static final String UNPRIVILEGED = "nobody";

    /**
     * The account to use.
     *
     * @param wanted null for the default
     * @throws DemoException when it doesn't exist, is root, or can't be switched to
     */
    static LocalAccount choose(String wanted) {
        int own = ownUid();
        if (own == 0) {
            String name = wanted == null ? UNPRIVILEGED : wanted;
            int uid = uidOf(name);
            if (uid == 0) {
                throw new DemoException("jobs never run as root: name an unprivileged account with --account");
            }
            return new LocalAccount(name, uid, false);
        }
        String name = nameOf(own);
        if (wanted != null && !wanted.equals(name)) {
            throw new DemoException("only root can run jobs as another account; you are " + name);
        }
        return new LocalAccount(name, own, true);
    }

    static int ownUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new DemoException("can't find out who runs this: " + e.getMessage(), e);
        }
    }

    private static int uidOf(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new DemoException("'" + name + "' is no account name");
        }
        String uid = ask("id", "-u", "--", name);
        if (uid == null || !uid.matches("[0-9]{1,9}")) {
            throw new DemoException("there is no account '" + name + "' on this machine");
        }
        return Integer.parseInt(uid);
    }

    private static String nameOf(int uid) {
        String name = ask("id", "-un");
        if (name == null || !NAME.matcher(name).matches()) {
            throw new DemoException("user number " + uid + " has no account name");
        }
        return name;
    }

    /** What a command prints, or null when it fails. */
    private static String ask(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? text : null;
        } catch (IOException e) {
            throw new DemoException("can't run " + command[0] + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoException("interrupted", e);
        }
    }
}
