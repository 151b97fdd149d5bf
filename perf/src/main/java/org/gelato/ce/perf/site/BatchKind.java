package org.gelato.ce.perf.site;

import java.util.Locale;

/** The batch systems a measurement may use. */
public enum BatchKind {
    /** Simulated within the CE's process. */
    STUB,
    /** The CE's own, on this host. */
    FORK,
    /** A real Slurm, made for the purpose. */
    SLURM,
    /** Torque by its commands. */
    TORQUE,
    /** A real HTCondor, made for the purpose where it is installed. */
    CONDOR;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The value of {@code gelato.lrms.kind}; the simulated one takes the place of {@code fork}. */
    String configured() {
        return this == STUB ? FORK.toString() : toString();
    }

    /** What clients call it in their descriptions: Torque's CEs have always been those of PBS. */
    String batchSystem() {
        return this == TORQUE ? "pbs" : toString();
    }
}
