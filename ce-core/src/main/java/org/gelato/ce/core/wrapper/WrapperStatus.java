package org.gelato.ce.core.wrapper;

import java.util.Optional;

/**
 * Exit statuses of a job wrapper that has no other way to tell what happened: the batch system hands them on. The numbers are
 * those of {@code sysexits.h}, and one of bash; every wrapper that could tell its end has 0 or 1.
 */
public enum WrapperStatus {
    /** The CE did not answer for as long as a wrapper asks. */
    NO_ANSWER(69, "the payload did not run: its wrapper could not claim the job, for the CE did not answer it"),
    /** It is older than the wrapper can do with, and no record of the job's end could be left. */
    OLD_BASH(72, "the payload did not run: bash on the node is older than 4.2, which job wrappers need"),
    /** What the payload did is known to nobody. */
    NOT_TOLD(75, "the job wrapper could not tell how the job ended"),
    /** The CE answered with an error. */
    REFUSED(77, "the payload did not run: the CE refused the claim of its wrapper"),
    /** Curl is not there, or what it needs, or does not believe the CE. */
    OUT_OF_REACH(
            78,
            "the payload did not run: its wrapper could not claim the job, for curl on the node does not work or does not"
                    + " believe the CE's certificate (X509_CERT_DIR there, else gelato.wrapper.ca-directory)"),
    /** Bash's own status where it can start no process; a wrapper that has claimed its job leaves a record instead. */
    NO_PROCESS(
            254,
            "the payload did not run: its wrapper could start no process on the node, for a limit on processes is"
                    + " reached there (ulimit -u of the account, or the batch system's)");

    private final int code;
    private final String words;

    WrapperStatus(int code, String words) {
        this.code = code;
        this.words = words;
    }

    /**
     * Whether a wrapper of which nothing is left ends with this status, null where it is not known, without having claimed its job: 0 where
     * another one had, 1 where the common part could not be loaded, too.
     */
    public static boolean isOfUnclaimed(Integer code) {
        return code != null
                && (code == 0
                        || code == 1
                        || (code != NOT_TOLD.code && words(code).isPresent()));
    }

    /** What exit status {@code code}, null where it is not known, says; empty when it says nothing of the wrapper's. */
    public static Optional<String> words(Integer code) {
        for (WrapperStatus status : values()) {
            if (code != null && status.code == code) {
                return Optional.of(status.words);
            }
        }
        return Optional.empty();
    }
}
