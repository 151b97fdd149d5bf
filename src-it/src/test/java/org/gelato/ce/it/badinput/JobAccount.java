package org.gelato.ce.it.badinput;

/** The account jobs of a fork batch system may run as here: never root. */
public final class JobAccount {
    private JobAccount() {}

    /** The own account; for root, who may switch, the one that owns nothing. */
    public static String name() {
        String own = System.getProperty("user.name");
        return own.equals("root") ? "nobody" : own;
    }
}
