package org.gelato.ce.ws.http;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.fixture.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StringGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Permits are taken and given back as if calls came one after another; none is lost or given twice. */
@Tag("lincheck")
public class PerUserLimitLincheckTest {
    private final PerUserLimit limit = PerUserLimit.of(3, 2);
    private final List<PerUserLimit.Permit> held = new ArrayList<>();

    /** Holds two permits, which operations give back. */
    public PerUserLimitLincheckTest() {
        held.add(limit.tryAcquire("a").orElseThrow());
        held.add(limit.tryAcquire("b").orElseThrow());
    }

    @Operation
    public boolean tryAcquire(@Param(gen = StringGen.class, conf = "1:ab") String user) {
        return limit.tryAcquire(user).isPresent();
    }

    /** Also twice. */
    @Operation
    public void close(@Param(gen = IntGen.class, conf = "0:1") int permit) {
        held.get(permit).close();
    }

    @Operation
    public long held() {
        return limit.held();
    }

    @Operation
    public long heldBy(@Param(gen = StringGen.class, conf = "1:ab") String user) {
        return limit.held(user);
    }

    @Test
    void isLinearizable() {
        Lincheck.check(PerUserLimitLincheckTest.class);
    }
}
