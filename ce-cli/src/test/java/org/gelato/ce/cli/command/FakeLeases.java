package org.gelato.ce.cli.command;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.LeaseCalls;
import org.gelato.ce.cli.wire.LeaseReport;
import org.gelato.ce.cli.wire.Response;

/** Grants an hour to every lease. */
final class FakeLeases implements LeaseCalls {
    private final List<String> calls;
    private final Function<JobSelector, List<Response<Void>>> attach;

    FakeLeases(List<String> calls, Function<JobSelector, List<Response<Void>>> attach) {
        this.calls = calls;
        this.attach = attach;
    }

    @Override
    public LeaseReport set(String id, Instant end) {
        calls.add("setLease " + id + " " + end);
        return get(id);
    }

    @Override
    public LeaseReport get(String id) {
        return new LeaseReport(id, FakeCe.NOON.plusSeconds(3600));
    }

    @Override
    public List<LeaseReport> list() {
        return List.of(get("one"), new LeaseReport("two\nlines", null));
    }

    @Override
    public void delete(String id) {
        calls.add("deleteLease " + id);
    }

    @Override
    public List<Response<Void>> attach(String id, JobSelector jobs) {
        calls.add("lease " + id);
        return attach.apply(jobs);
    }
}
