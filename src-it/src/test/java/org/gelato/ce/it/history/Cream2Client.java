package org.gelato.ce.it.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * CREAM2 and its delegation service (docs/developer/protocol/cream2-wire.md), and messages (docs/user/live.md), by requests of its
 * own.
 */
final class Cream2Client implements CeClient {
    private static final String SERVICES = "/ce-cream/services/";
    private static final String ACTION = "http://glite.org/2007/11/ce/cream/";
    private static final String ANY = "*";
    private static final Map<Operation, String> COMMANDS = Map.of(
            Operation.START, "JobStart",
            Operation.CANCEL, "JobCancel",
            Operation.PURGE, "JobPurge",
            Operation.SUSPEND, "JobSuspend",
            Operation.RESUME, "JobResume");
    private static final Map<String, Answer> FAULTS = Map.of(
            "JobUnknownFault", Answer.UNKNOWN_JOB,
            "JobStatusInvalidFault", Answer.WRONG_STATE,
            "LeaseIdMismatchFault", Answer.UNKNOWN_LEASE);
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Of a lease that runs out within a history. */
    static final int BRIEF_SECONDS = 4;

    private static final int LONG_SECONDS = 7200;

    private final Wallet wallet;

    Cream2Client(Wallet wallet) {
        this.wallet = wallet;
    }

    @Override
    public Wallet wallet() {
        return wallet;
    }

    @Override
    public Set<Operation> operations() {
        return EnumSet.complementOf(EnumSet.of(Operation.KILL, Operation.CLEAN, Operation.ASK));
    }

    @Override
    public Answer delegate(String id, Duration lifetime) throws IOException {
        return delegate(id, "getProxyReq", lifetime);
    }

    @Override
    public Answer renew(String delegation) throws IOException {
        return delegate(delegation, "renewProxyReq", LONG);
    }

    private Answer delegate(String id, String call, Duration lifetime) throws IOException {
        Element asked = onDelegation(call, "<delegationID>" + id + "</delegationID>");
        Optional<String> request = text(asked, call + "Return");
        if (request.isEmpty()) {
            return fault(asked).orElse(Answer.none("no request"));
        }
        String chain = new DelegationSigner(Clock.systemUTC())
                .sign(wallet.delegating(), request.get(), lifetime, DelegationSigner.Habit.MODERN);
        Element put = onDelegation("putProxy", "<delegationID>" + id + "</delegationID><proxy>" + chain + "</proxy>");
        return fault(put).orElse(Answer.of(Answer.Kind.DONE, id));
    }

    private Element onDelegation(String call, String parameters) throws IOException {
        return send("gridsite-delegation", "", "<d:" + call + ">" + parameters + "</d:" + call + ">", "");
    }

    @Override
    public Answer make(Operation operation, String description, String delegation, String key, String lease)
            throws IOException {
        String body = t(
                "JobRegisterRequest",
                "<t:jobDescriptionList jobDescriptionId=\"1\">" + t("JDL", escaped(description))
                        + t("delegationId", delegation)
                        + (lease.isEmpty() ? "" : t("leaseId", lease))
                        + t("autoStart", Boolean.toString(operation == Operation.SUBMIT)) + "</t:jobDescriptionList>");
        Element response = send("CREAM2", "JobRegister", body, key);
        Optional<Answer> fault = fault(response);
        return fault.isPresent()
                ? fault.get()
                : text(response, "id")
                        .map(id -> Answer.of(Answer.Kind.DONE, id))
                        .orElse(Answer.none("no id"));
    }

    @Override
    public Answer lease(Operation operation, String lease) throws IOException {
        if (operation == Operation.UNLEASE) {
            Element response = send("CREAM2", "deleteLease", t("deleteLeaseRequest", lease), "");
            return response.getTextContent().contains("lease " + lease + " not found!")
                    ? Answer.UNKNOWN_LEASE
                    : fault(response).orElse(Answer.DONE);
        }
        Instant until = Instant.now().plusSeconds(operation == Operation.LEASE_BRIEFLY ? BRIEF_SECONDS : LONG_SECONDS);
        String body = t("setLeaseRequest", t("leaseId", lease) + t("leaseTime", until.toString()));
        Element response = send("CREAM2", "setLease", body, "");
        return fault(response).orElse(text(response, "leaseId").isPresent() ? Answer.DONE : Answer.none("no lease"));
    }

    @Override
    public Answer attach(String job, String lease) throws IOException {
        return setLease(job, t("newLeaseId", lease));
    }

    private Answer setLease(String job, String lease) throws IOException {
        String body = t("JobSetLeaseIdRequest", lease + t("jobFilter", id(job)));
        return result(send("CREAM2", "JobSetLeaseId", body, ""));
    }

    @Override
    public Answer command(Operation operation, String job) throws IOException {
        if (operation == Operation.DETACH) {
            return setLease(job, "");
        }
        String name = COMMANDS.get(operation);
        return result(send("CREAM2", name, t(name + "Request", id(job)), ""));
    }

    private static Answer result(Element response) {
        Optional<Answer> fault = fault(response);
        return fault.orElse(text(response, "id").isPresent() ? Answer.DONE : Answer.none("no result"));
    }

    @Override
    public Answer status(String job) throws IOException {
        Element response = send("CREAM2", "JobStatus", t("JobStatusRequest", id(job)), "");
        Optional<Answer> fault = fault(response);
        return fault.orElse(text(response, "name")
                .flatMap(JobState::ofWireName)
                .map(state -> state == JobState.DONE_FAILED
                        ? Answer.failed(text(response, "failureReason").orElse(""))
                        : Answer.state(state))
                .orElse(Answer.none("no state")));
    }

    @Override
    public Answer list() throws IOException {
        Element response = send("CREAM2", "JobList", "", "");
        Optional<Answer> fault = fault(response);
        if (fault.isPresent()) {
            return fault.get();
        }
        List<String> jobs = new ArrayList<>();
        all(response, "result").forEach(r -> text(r, "id").ifPresent(jobs::add));
        return Answer.jobs(jobs);
    }

    @Override
    public Answer events(long from, int most) throws IOException {
        String body = t(
                "QueryEventRequest",
                t("fromEventId", Long.toString(from))
                        + t("eventType", "JOB_STATUS")
                        + t("maxQueryEventResultSize", Integer.toString(most))
                        + t("verbosityLevel", "0"));
        Element response = send("CREAM2", "QueryEvent", body, "");
        Optional<Answer> fault = fault(response);
        if (fault.isPresent()) {
            return fault.get();
        }
        List<SeenEvent> events = new ArrayList<>();
        for (Element event : all(response, "event")) {
            events.add(new SeenEvent(
                    Long.parseLong(text(event, "id").orElseThrow()),
                    property(event, "jobId"),
                    JobState.ofCode(Integer.parseInt(property(event, "type")))));
        }
        return Answer.events(events);
    }

    @Override
    public Answer messages(String job, long after, int most) throws IOException {
        String path = job == null ? "/messages?scope=own&" : "/jobs/" + job + "/messages?";
        HttpResponse<String> response = wallet.calls()
                .send("GET", path + "after=" + after + "&limit=" + most, null, "Accept", "application/json");
        if (response.statusCode() != 200) {
            return response.statusCode() == 404
                    ? Answer.UNKNOWN_JOB
                    : Answer.none("HTTP " + response.statusCode() + ": " + response.body());
        }
        JsonNode page = JSON.readTree(response.body());
        List<MessagePage.Seen> seen = new ArrayList<>();
        for (JsonNode message : page.path("messages")) {
            if (message.path("kind").asText().equals("message")) {
                String id = message.path("job").asText();
                seen.add(new MessagePage.Seen(
                        place(message.path("cursor")),
                        id.substring(id.lastIndexOf('/') + 1),
                        message.path("number").asInt(),
                        message.path("text").asText()));
            }
        }
        return Answer.messages(new MessagePage(
                seen,
                place(page.path("next")),
                page.path("more").asBoolean(),
                page.path("complete").asBoolean()));
    }

    /** Without the database's mark, by which readers of another one would be found. */
    private static long place(JsonNode cursor) {
        String text = cursor.asText();
        return Long.parseLong(text.substring(text.indexOf('-') + 1));
    }

    private static String property(Element event, String name) {
        return all(event, "property").stream()
                .filter(p -> text(p, "name").orElse("").equals(name))
                .map(p -> text(p, "value").orElseThrow())
                .findFirst()
                .orElseThrow();
    }

    private static String id(String job) {
        return t("jobId", t("id", job) + t("creamURL", "https://localhost/ce-cream/services/CREAM2"));
    }

    private static String t(String name, String content) {
        return "<t:" + name + ">" + content + "</t:" + name + ">";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private Element send(String service, String action, String body, String key) throws IOException {
        String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\""
                + " xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><e:Body>" + body
                + "</e:Body></e:Envelope>";
        List<String> headers = new ArrayList<>(List.of(
                "Content-Type",
                "text/xml; charset=utf-8",
                "SOAPAction",
                action.isEmpty() ? "\"\"" : '"' + ACTION + action + '"'));
        if (!key.isEmpty()) {
            headers.addAll(List.of("Idempotency-Key", key));
        }
        HttpResponse<String> response =
                wallet.calls().send("POST", SERVICES + service, envelope, headers.toArray(new String[0]));
        return parsed(response);
    }

    private static Element parsed(HttpResponse<String> response) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            Document document = factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(response.body().getBytes(StandardCharsets.UTF_8)));
            return document.getDocumentElement();
        } catch (SAXException e) {
            throw new IOException("HTTP " + response.statusCode() + ": " + response.body(), e);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a fault of the call or of its one job means; empty where there is none. */
    private static Optional<Answer> fault(Element response) {
        for (Map.Entry<String, Answer> known : FAULTS.entrySet()) {
            if (!all(response, known.getKey()).isEmpty()) {
                return Optional.of(known.getValue());
            }
        }
        String words = response.getTextContent().strip();
        for (String open : List.of("GenericFault", "JobSubmissionDisabledFault")) {
            if (!all(response, open).isEmpty()) {
                return Optional.of(Answer.none(words));
            }
        }
        if (words.contains(CeClient.UNWRITTEN)) {
            return Optional.of(Answer.none(words));
        }
        boolean other = !all(response, "DelegationProxyFault").isEmpty() || words.contains("not found");
        if (other) {
            return Optional.of(Answer.of(Answer.Kind.REFUSED, words));
        }
        return all(response, "Fault").isEmpty() ? Optional.empty() : Optional.of(Answer.none(words));
    }

    private static List<Element> all(Element in, String name) {
        NodeList found = in.getElementsByTagNameNS(ANY, name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static Optional<String> text(Element in, String name) {
        return all(in, name).stream().map(Element::getTextContent).findFirst();
    }
}
