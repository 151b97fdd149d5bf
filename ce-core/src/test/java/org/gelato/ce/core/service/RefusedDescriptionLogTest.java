package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** An administrator can see why a user's jobs are refused, and sees none of the values in them. */
class RefusedDescriptionLogTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final Logger logger = (Logger) LoggerFactory.getLogger(RegistrationChecks.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        ce.close();
    }

    private static JobDescription with(String attribute) {
        String jdl = TestCe.JDL.replace("[ ", "[\n" + attribute + "; ");
        return new JobDescription("r", Jdl.LANGUAGE, jdl, "d1", null, null, false);
    }

    @Test
    void aCallHasOneLineWithAttributeAndPlace() {
        ce.jobs
                .registration()
                .register(ALICE, List.of(with("A = 1"), with("  Environment = \"hunter2\""), with("B = ")), null);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .isEqualTo("2 of 3 job descriptions of " + ALICE.identity().subject()
                        + " are refused, the first for attribute=Environment, line=2, column=3");
    }

    @Test
    void whatIsRefusedForItsDelegationIsNotCounted() {
        String bad = with("B = ").text();
        JobDescription unknown = new JobDescription("r", Jdl.LANGUAGE, bad, "d2", null, null, false);
        ce.jobs.registration().register(ALICE, List.of(unknown, with("B = ")), null);
        assertThat(log.list).singleElement().asString().contains("1 of 2 job descriptions");
    }

    @Test
    void anErrorOfSyntaxHasAPlaceOnly() {
        ce.jobs.registration().register(ALICE, List.of(with("B = ")), null);
        assertThat(log.list).singleElement().asString().contains("attribute=-, line=2, column=5");
    }

    @Test
    void anAttributesNameIsShownInOneLine() {
        ce.jobs.registration().register(ALICE, List.of(with("A\u0085:B = 1")), null);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("attribute=A?:B, ");
    }

    @Test
    void acceptedDescriptionsAreNotLogged() {
        ce.jobs.registration().register(ALICE, List.of(with("A = 1")), null);
        assertThat(log.list).isEmpty();
    }
}
