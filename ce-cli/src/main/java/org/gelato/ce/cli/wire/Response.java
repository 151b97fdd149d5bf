package org.gelato.ce.cli.wire;

import java.util.Optional;

/**
 * The CE's result for one job.
 *
 * @param subject local job id, or at register the position of the description
 * @param value null when there is a fault
 * @param fault null when there is none
 */
public record Response<T>(String subject, T value, WireFault fault) {
    public static <T> Response<T> of(String subject, T value) {
        return new Response<>(subject, value, null);
    }

    public static <T> Response<T> refused(String subject, WireFault fault) {
        return new Response<>(subject, null, fault);
    }

    public Optional<WireFault> refusal() {
        return Optional.ofNullable(fault);
    }
}
