package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.util.Map;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.ws.web.SandboxAccess;
import org.junit.jupiter.api.Test;

class NoSandboxAccessTest {
    @Test
    void withoutGridFtpTheUrisAreThereAndSayThatThereIsNone() {
        JobMapping mapping = new JobMapping(
                URI.create("https://ce.example.org:8443"), SandboxAccess.NONE, new Cream2Faults(Clock.systemUTC()));

        assertThat(mapping.registered(new JobId(7), "/sandbox/CREAM000000007", Map.of())
                        .getProperty())
                .filteredOn(p -> p.getName().startsWith("CREAM"))
                .extracting(p -> p.getName() + "=" + p.getValue())
                .containsExactly("CREAMInputSandboxURI=N/A", "CREAMOutputSandboxURI=N/A");
    }
}
