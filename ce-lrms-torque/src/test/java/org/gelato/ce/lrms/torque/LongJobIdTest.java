package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids with the names of real servers, which may be as long as names in the DNS: a submission and its look-up agree on them. */
class LongJobIdTest {
    /** Of 253 characters. */
    private static final String LONGEST_NAME = ("a".repeat(61) + ".").repeat(4) + "b".repeat(5);

    private static QstatListing.Listed listed(String id, boolean xml) {
        ListingReader reader = ListingReader.of(xml, false, job -> true);
        reader.take(Samples.text(xml ? "alive.xml" : "alive.txt")
                .replace("10.torque.example", id)
                .getBytes(StandardCharsets.UTF_8));
        return reader.end().jobs().stream()
                .filter(job -> job.tag().equals("cream_000000010"))
                .findFirst()
                .orElseThrow();
    }

    private static SubmitResult submitted(String id) {
        return new QsubResponse(false).of(new Completed(0, false, id + "\n", ""));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void idsOfRealServersAreTaken(boolean xml) {
        assertThat(LONGEST_NAME).hasSize(253);
        for (String server :
                new String[] {"torque-server-0.torque.my-namespace.svc.cluster.example.org", LONGEST_NAME}) {
            String id = "10." + server;
            assertThat(submitted(id)).isEqualTo(new SubmitResult.Accepted(id));
            assertThat(listed(id, xml).job().lrmsId()).isEqualTo(id);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIdThatCannotBeKeptIsTakenByNeither(boolean xml) {
        String id = "10." + "x".repeat(LrmsJob.LONGEST_ID);
        assertThat(submitted(id)).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(listed(id, xml).job()).as("as one in an unknown state").isNull();
    }
}
