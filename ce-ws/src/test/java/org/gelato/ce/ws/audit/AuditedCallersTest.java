package org.gelato.ce.ws.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.Authentication.Accepted;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequestContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditedCallersTest {
    private static final HttpServletRequest REQUEST = (HttpServletRequest) Proxy.newProxyInstance(
            AuditedCallersTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (self, method, arguments) -> method.getName().equals("getRemoteAddr") ? "192.0.2.1" : null);

    @TempDir
    private Path directory;

    private final AtomicInteger authenticated = new AtomicInteger();

    private AuditedCallers callers(CallerResolver resolver) {
        AuditLog audit =
                new AuditLog(new AuditSettings(true, directory.resolve("audit.log"), 1 << 20, 2), Clock.systemUTC());
        return new AuditedCallers(resolver, "CN=Ann,DC=org"::equals, audit, Clock.systemUTC());
    }

    private static Refused refusal() {
        return new Refused(
                new ServiceException.NotAuthorized(FaultCode.CREDENTIAL_REFUSED, "it has ended"),
                new Credential("ab12", "CN=Ann,DC=org", null));
    }

    @AfterEach
    void leave() {
        RequestContext.leave();
    }

    @Test
    void aRequestThatComesAgainIsAuthenticatedAndWrittenDownOnce() throws IOException {
        new RequestContext("id1", "192.0.2.1").enter();
        AuditedCallers callers = callers(request -> {
            authenticated.incrementAndGet();
            return refusal();
        });
        assertThat(callers.authenticate(REQUEST)).isSameAs(callers.authenticate(REQUEST));
        assertThat(authenticated).hasValue(1);
        assertThat(Files.readAllLines(directory.resolve("audit.log")))
                .singleElement(STRING)
                .contains("\"event\":\"banned\"", "\"credential\":\"ab12\"", "\"request\":\"id1\"");

        new RequestContext("id2", "192.0.2.1").enter();
        callers.authenticate(REQUEST);
        assertThat(authenticated).as("of another request").hasValue(2);
    }

    @Test
    void aSenderWhoIsBannedWhileARequestLastsIsRefused() {
        AtomicLong nanos = new AtomicLong();
        new RequestContext("id1", "192.0.2.1", nanos::get).enter();
        Iterator<Authentication> outcomes = List.<Authentication>of(
                        new Accepted(
                                new Caller(
                                        new GridIdentity(
                                                "CN=Ann,DC=org", List.of(), null, false, Instant.MAX, List.of()),
                                        "dteam001",
                                        false),
                                Credential.NONE),
                        refusal(),
                        refusal())
                .iterator();
        AuditedCallers callers = callers(request -> outcomes.next());
        assertThat(callers.authenticate(REQUEST)).isInstanceOf(Accepted.class);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
        assertThat(callers.authenticate(REQUEST)).isInstanceOf(Accepted.class);
        nanos.incrementAndGet();
        Authentication refused = callers.authenticate(REQUEST);
        assertThat(refused).isInstanceOf(Refused.class);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(callers.authenticate(REQUEST)).as("no line more").isSameAs(refused);
    }
}
