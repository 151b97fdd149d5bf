package org.gelato.ce.it.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.DelegationSigner.Habit;
import org.gelato.ce.testkit.pki.GridCredential;

/** A client with the requests of the original command line client. Every response passes the strict reader. */
final class OriginalClient {
    private static final DelegationSigner SIGNER = new DelegationSigner(Clock.systemUTC());

    private final ConformanceSite site;
    private final GridCredential credential;
    private final RawClient raw;

    /** @param credential null for a client without certificate */
    OriginalClient(ConformanceSite site, GridCredential credential) {
        this.site = site;
        this.credential = credential;
        raw = new RawClient(site.ce(), credential);
    }

    /** A job that ends by itself at once. */
    static String echo() {
        return jdl("/bin/echo", "hello");
    }

    static String sleep(int seconds) {
        return jdl("/bin/sleep", Integer.toString(seconds));
    }

    /** A description as the original sends it: on one line, with the queue of its option {@code -r} put in. */
    static String jdl(String executable, String arguments) {
        return "[ QueueName = \"long\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; BatchSystem = \"fork\"; "
                + "Arguments = \"" + arguments + "\"; Executable = \"" + executable + "\"; JobType = \"Normal\"; "
                + "OutputSandbox = { \"out\",\"err\" }; StdError = \"err\"; StdOutput = \"out\"; Type = \"Job\" ]";
    }

    GridCredential credential() {
        return credential;
    }

    RawClient raw() {
        return raw;
    }

    Response call(WireOperation operation, String body) {
        return call(operation, body, Spelling.ORIGINAL);
    }

    Response call(WireOperation operation, String body, Spelling spelling) {
        try {
            Reply reply = spelling.send(raw, operation, body);
            return site.reader(operation).read(reply, spelling.isSoap12(), operation.response());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A call that must not be a fault. */
    Response must(WireOperation operation, String body) {
        Response response = call(operation, body);
        if (response.isFault()) {
            throw new AssertionError(operation + " answered " + response.document());
        }
        return response;
    }

    // ---- delegations

    /** Fetches the certificate request of a new delegation and signs it, as {@code glite-ce-delegate-proxy}. */
    OriginalClient delegate(String id) {
        return delegate(id, Duration.ofHours(10));
    }

    OriginalClient delegate(String id, Duration lifetime) {
        must(WireOperation.PUT_PROXY, Bodies.putProxy(id, sign(request(WireOperation.GET_PROXY_REQ, id), lifetime)));
        return this;
    }

    /** As {@code glite-ce-proxy-renew}. */
    void renew(String id, Duration lifetime) {
        must(WireOperation.PUT_PROXY, Bodies.putProxy(id, sign(request(WireOperation.RENEW_PROXY_REQ, id), lifetime)));
    }

    /** The certificate request that getProxyReq or renewProxyReq returns. */
    String request(WireOperation operation, String id) {
        return onDelegation(operation, id).payload().text(operation.wsdlName() + "Return");
    }

    String sign(String request, Duration lifetime) {
        return SIGNER.sign(credential, request, lifetime, Habit.ORIGINAL);
    }

    Response onDelegation(WireOperation operation, String id) {
        return call(operation, Bodies.delegation(operation, "delegationID", id));
    }

    // ---- jobs

    /** Registers without starting; the local id. */
    String register(String delegation, String jdl) {
        return register(Description.of("JobName_1", jdl, delegation));
    }

    String register(Description description) {
        return must(WireOperation.JOB_REGISTER, Bodies.register(description))
                .results()
                .get(0)
                .text("jobId", "id");
    }

    /** Registers and starts; the local id. */
    String submit(String delegation, String jdl) {
        String id = register(delegation, jdl);
        on(WireOperation.JOB_START, id);
        return id;
    }

    Response on(WireOperation operation, String... ids) {
        return on(operation, Filter.ids(ids));
    }

    Response on(WireOperation operation, Filter filter) {
        return call(operation, Bodies.filter(operation, filter));
    }

    /** Local ids of all own jobs. */
    List<String> jobs() {
        return must(WireOperation.JOB_LIST, "").results().stream()
                .map(r -> r.text("id"))
                .toList();
    }

    String state(String id) {
        return on(WireOperation.JOB_STATUS, id).results().get(0).text("jobStatus", "name");
    }

    Node info(String id) {
        return on(WireOperation.JOB_INFO, id).results().get(0).at("jobInfo");
    }

    /** Waits until a job is in one of the states. */
    void await(String id, String... states) {
        ConformanceSite.eventually(id + " becomes " + Arrays.toString(states), () -> {
            String state = state(id);
            if (!List.of(states).contains(state)) {
                throw new AssertionError(id + " is " + state + ": " + info(id));
            }
        });
    }
}
