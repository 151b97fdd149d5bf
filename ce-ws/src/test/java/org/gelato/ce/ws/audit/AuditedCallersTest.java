package org.gelato.ce.ws.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
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

    private AuditedCallers refusing() {
        AuditLog audit = new AuditLog(
                new AuditSettings(true, directory.resolve("audit.log"), 1 << 20, 2), Clock.systemUTC());
        return new AuditedCallers(
                request -> {
                    authenticated.incrementAndGet();
                    return new Refused(
                            new ServiceException.NotAuthorized(FaultCode.CREDENTIAL_REFUSED, "it has ended"),
                            new Credential("ab12", "CN=Ann,DC=org", null));
                },
                "CN=Ann,DC=org"::equals,
                audit,
                Clock.systemUTC());
    }

    @AfterEach
    void leave() {
        RequestContext.leave();
    }

    @Test
    void aRequestThatComesAgainIsAuthenticatedAndWrittenDownOnce() throws IOException {
        new RequestContext("id1", "192.0.2.1").enter();
        AuditedCallers callers = refusing();
        assertThat(callers.authenticate(REQUEST)).isSameAs(callers.authenticate(REQUEST));
        assertThat(authenticated).hasValue(1);
        assertThat(Files.readAllLines(directory.resolve("audit.log")))
                .singleElement(STRING)
                .contains("\"event\":\"banned\"", "\"credential\":\"ab12\"", "\"request\":\"id1\"");

        new RequestContext("id2", "192.0.2.1").enter();
        callers.authenticate(REQUEST);
        assertThat(authenticated).as("of another request").hasValue(2);
    }
}
