package org.gelato.ce.testkit.torque;

import java.util.Locale;

/** Torque's commands that the stand-in has. */
public enum TorqueProgram {
    QSUB,
    QSTAT,
    QDEL,
    QHOLD,
    QRLS,
    PBSNODES;

    /** The name of the command. */
    public String command() {
        return name().toLowerCase(Locale.ROOT);
    }
}
