package org.gelato.ce.cli.wire;

import java.util.Optional;

/**
 * The CE's result for one job.
 *
 * @param subject local job id, or at register the position of the description
 * @param value null when there is a fault
 * @param fault null when there is none
 */
public record Answer<T>(String subject, T value, WireFault fault) {
    public static <T> Answer<T> of(String subject, T value) {
        return new Answer<>(subject, value, null);
    }

    public static <T> Answer<T> refused(String subject, WireFault fault) {
        return new Answer<>(subject, null, fault);
    }

    public Optional<WireFault> refusal() {
        return Optional.ofNullable(fault);
    }
}
