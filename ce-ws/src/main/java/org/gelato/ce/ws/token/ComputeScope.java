package org.gelato.ce.ws.token;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a capability scope permits; the words are those of the WLCG profile and are compared exactly. */
public enum ComputeScope {
    /** Status of jobs. */
    READ,
    /** Submission. */
    CREATE,
    /** Changes of jobs. */
    MODIFY,
    /** Cancel and removal of jobs. */
    CANCEL;

    /** The word in the claim {@code scope}. */
    public String word() {
        return "compute." + name().toLowerCase(Locale.ROOT);
    }

    static Optional<ComputeScope> of(String word) {
        return Arrays.stream(values()).filter(s -> s.word().equals(word)).findAny();
    }
}
