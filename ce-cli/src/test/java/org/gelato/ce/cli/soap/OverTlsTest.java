package org.gelato.ce.cli.soap;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.credential.TrustedAuthorities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole client, from the command line to the bytes on a TLS connection and back. */
class OverTlsTest {
    private static final String JOB_ID =
            "<t:jobId><t:id>CREAM000000042</t:id><t:creamURL>https://localhost/ce-cream/services/CREAM2</t:creamURL></t:jobId>";

    @TempDir
    static Path shared;

    private static TestGrid grid;
    private static TestGrid otherGrid;
    private static RecordingCe ce;

    @TempDir
    Path temp;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new LinkedHashMap<>();

    @BeforeAll
    static void grid() throws Exception {
        grid = new TestGrid(shared.resolve("grid"), "Our CA");
        otherGrid = new TestGrid(shared.resolve("other"), "Other CA");
        ce = new RecordingCe(grid);
        ce.responses.put(
                "JobRegister",
                "<t:JobRegisterResponse><t:result jobDescriptionId=\"JobName_0\">" + JOB_ID
                        + "</t:result></t:JobRegisterResponse>");
        ce.responses.put("JobStart", "<t:JobStartResponse><t:result>" + JOB_ID + "</t:result></t:JobStartResponse>");
        ce.responses.put(
                "JobStatus",
                "<t:JobStatusResponse><t:result jobDescriptionId=\"https://localhost/CREAM000000042\">"
                        + "<t:jobStatus>" + JOB_ID
                        + "<t:name>DONE-OK</t:name><t:timestamp>2026-11-20T12:00:00.5Z</t:timestamp>"
                        + "<t:exitCode>0</t:exitCode></t:jobStatus></t:result>"
                        + "<t:result jobDescriptionId=\"https://localhost/CREAM000000043\"><t:JobUnknownFault>"
                        + "<t:MethodName>jobStatus</t:MethodName><t:Timestamp>2026-11-20T12:00:00Z</t:Timestamp>"
                        + "<t:ErrorCode>2</t:ErrorCode><t:Description>job not found</t:Description><t:FaultCause>N/A</t:FaultCause>"
                        + "</t:JobUnknownFault></t:result></t:JobStatusResponse>");
        ce.responses.put(
                "JobList",
                "<t:JobListResponse><t:result><t:id>CREAM000000042</t:id>"
                        + "<t:creamURL>x</t:creamURL></t:result></t:JobListResponse>");
        ce.responses.put(
                "JobCancel",
                "<s:Fault><faultcode>s:Client</faultcode><faultstring>Authorization error</faultstring>"
                        + "<detail><t:AuthorizationFault><t:MethodName>JobCancel</t:MethodName>"
                        + "<t:Timestamp>2026-11-20T12:00:00Z</t:Timestamp><t:Description>CN=User not authorized</t:Description>"
                        + "</t:AuthorizationFault></detail></s:Fault>");
        ce.statuses.put("JobCancel", 500);
        ce.codes.put("JobCancel", "NOT_MAPPED");
        ce.responses.put(
                "QueryEvent",
                "<t:QueryEventResult><t:event><t:id>41</t:id><t:type>JOBSTATUS</t:type>"
                        + "<t:timestamp>2026-11-20T12:00:00.5Z</t:timestamp>"
                        + "<t:property><t:name>jobId</t:name><t:value>CREAM000000042</t:value></t:property>"
                        + "<t:property><t:name>exitCode</t:name><t:value>3</t:value></t:property>"
                        + "<t:property><t:name>type</t:name><t:value>8</t:value></t:property></t:event>"
                        + "<t:queryExecutionTimeInMillis>1</t:queryExecutionTimeInMillis><t:dbId>77</t:dbId>"
                        + "</t:QueryEventResult>");
        ce.responses.put(
                "JobSuspend", "<t:JobSuspendResponse><t:result>" + JOB_ID + "</t:result></t:JobSuspendResponse>");
        ce.responses.put(
                "JobResume",
                "<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring>"
                        + "<detail><t:OperationNotSupportedFault><t:MethodName>JobResume</t:MethodName>"
                        + "<t:Timestamp>2026-11-20T12:00:00Z</t:Timestamp><t:Description>not here</t:Description>"
                        + "</t:OperationNotSupportedFault></detail></s:Fault>");
        ce.statuses.put("JobResume", 500);
        ce.responses.put(
                "JobSetLeaseId",
                "<t:JobSetLeaseIdResponse><t:result>" + JOB_ID + "</t:result></t:JobSetLeaseIdResponse>");
        ce.responses.put(
                "JobInfo",
                "<t:JobInfoResponse><t:result><t:jobInfo>" + JOB_ID
                        + "<t:status>" + JOB_ID + "<t:name>IDLE</t:name><t:timestamp>2026-11-20T12:00:00Z</t:timestamp>"
                        + "</t:status><t:lastCommand><t:id>1</t:id><t:name>JOB_SET_LEASEID</t:name>"
                        + "<t:category>JOB_MANAGEMENT</t:category><t:status>SUCCESSFULL</t:status>"
                        + "<t:failureReason>lease id \"L1\" not found!</t:failureReason></t:lastCommand>"
                        + "</t:jobInfo></t:result></t:JobInfoResponse>");
        ce.responses.put(
                "setLease",
                "<t:setLeaseResponse><t:leaseId>L1</t:leaseId><t:leaseTime>2026-11-20T13:00:00Z</t:leaseTime>"
                        + "</t:setLeaseResponse>");
        ce.responses.put(
                "getLeaseList",
                "<t:getLeaseListResponse><t:result><t:leaseId>L1</t:leaseId>"
                        + "<t:leaseTime>2026-11-20T13:00:00Z</t:leaseTime></t:result></t:getLeaseListResponse>");
        ce.responses.put("deleteLease", "");
        ce.responses.put("acceptNewJobSubmissions", "");
        ce.responses.put("renewProxyReq", ce.responses.get("getProxyReq").replace("getProxyReq", "renewProxyReq"));
        ce.responses.put("CREAM000000042/", "{\"files\":[{\"name\":\"env.out\",\"size\":5}]}");
        ce.responses.put("CREAM000000042/env.out", "hello");
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    @BeforeEach
    void proxy() throws Exception {
        ce.requests.clear();
        ce.connections.clear();
        environment.put(
                "X509_USER_PROXY",
                grid.proxy(temp.resolve("proxy"), Duration.ofHours(1)).toString());
        environment.put("X509_CERT_DIR", grid.certificates.toString());
        environment.put("CE_ENDPOINT", "localhost:" + ce.port());
        environment.put("CE_RESOURCE", "localhost:" + ce.port() + "/cream-fork-demo");
    }

    private int run(String... args) {
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream("Executable = \"/bin/true\"".getBytes(StandardCharsets.UTF_8)),
                        false),
                environment,
                temp,
                Clock.systemUTC(),
                time -> {},
                new SoapConnector());
        return Main.run(context, args);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private String job(int number) {
        return "https://localhost:" + ce.port() + "/CREAM" + String.format("%09d", number);
    }

    /** As when the CE takes longer for it than the user wants to wait. */
    @Test
    void aFileWhoseChecksumIsNotToBeHadIsKept() {
        ce.tag = "\"1\"";
        try {
            assertThat(run("output", "-d", "kept", job(42))).as(err()).isZero();
        } finally {
            ce.tag = null;
        }
        assertThat(temp.resolve("kept/env.out")).hasContent("hello");
        assertThat(err())
                .contains("env.out is whole but was not verified, as its checksum was not to be had: localhost:")
                .contains("its SHA-256 is 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    }

    @Test
    void submitDelegatesRegistersAndStartsOverOneConnection() {
        assertThat(run("submit", "-")).as(err()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(job(42) + "\n");
        assertThat(err()).isEmpty();
        assertThat(ce.requests).hasSize(4);
        assertThat(ce.requests.get(2)).contains("BatchSystem = \"fork\"; QueueName = \"demo\";", "autoStart>false<");
        assertThat(ce.requests.get(3)).contains("CREAM000000042");
        assertThat(ce.connections).hasSize(1);
    }

    @Test
    void filesGoOverOneMoreConnection() throws Exception {
        String plain = ce.responses.get("JobRegister");
        ce.responses.put(
                "JobRegister",
                plain.replace(
                        "</t:jobId>",
                        "<t:property><t:name>HTTPSInputSandboxURI</t:name><t:value>https://localhost:" + ce.port()
                                + "/in/CREAM000000042</t:value></t:property></t:jobId>"));
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            Files.writeString(temp.resolve("file" + i), "content " + i);
            names.append(i == 0 ? "" : ", ").append("\"file").append(i).append('"');
            ce.responses.put("/in/CREAM000000042/file" + i, "");
            ce.statuses.put("/in/CREAM000000042/file" + i, 201);
        }
        Files.writeString(temp.resolve("job.jdl"), "Executable = \"/bin/true\"; InputSandbox = {" + names + "};");
        try {
            assertThat(run("submit", "job.jdl")).as(err()).isZero();
        } finally {
            ce.responses.put("JobRegister", plain);
        }
        assertThat(ce.requests)
                .filteredOn(request -> request.startsWith("PUT "))
                .hasSize(20)
                .contains("PUT /in/CREAM000000042/file7\ncontent 7");
        assertThat(ce.connections).hasSize(2);
    }

    @Test
    void delegatedChainIsAProxyOfTheUsersProxyWithTheRequestsKey() throws Exception {
        assertThat(run("delegate", "mine")).as(err()).isZero();
        Matcher m = Pattern.compile("<proxy>(.*)</proxy>", Pattern.DOTALL).matcher(ce.requests.get(1));
        assertThat(m.find()).isTrue();
        X509Certificate[] chain = CertificateUtils.loadCertificateChain(
                new ByteArrayInputStream(m.group(1).replace("&#xD;", "").getBytes(StandardCharsets.UTF_8)),
                CertificateUtils.Encoding.PEM);
        X509Certificate[] own;
        try (InputStream in = Files.newInputStream(temp.resolve("proxy"))) {
            own = new X509Certificate[] {CertificateUtils.loadCertificate(in, CertificateUtils.Encoding.PEM)};
        }
        assertThat(chain).hasSize(3);
        assertThat(chain[0].getPublicKey()).isEqualTo(ce.delegationKeys.getPublic());
        assertThat(chain[1]).isEqualTo(own[0]);
        assertThat(chain[2]).isEqualTo(grid.user);
        assertThat(chain[0].getSigAlgName()).isEqualToIgnoringCase("SHA256withRSA");
        assertThat(chain[0].getNotAfter()).isBefore(own[0].getNotAfter());
        assertThat(chain[0].getNotBefore().toInstant())
                .isBefore(Clock.systemUTC().instant().minus(Duration.ofMinutes(4)));
        ProxyChainInfo info = new ProxyChainInfo(chain);
        assertThat(info.getProxyType().toString()).isEqualTo(ProxyType.RFC3820.toString());
        assertThat(info.isLimited()).isFalse();
        assertThat(TrustedAuthorities.load(grid.certificates).validate(chain).isValid())
                .isTrue();
        assertThat(m.group(1)).doesNotContain("PRIVATE");
    }

    @Test
    void statusReportsEachJobsOwn() {
        assertThat(run("status", job(42), job(43))).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(job(42) + " DONE-OK 2026-11-20T12:00:00.500Z exit=0\n");
        assertThat(err())
                .isEqualTo(
                        "ce status: " + job(43) + ": job not found (ce list shows your jobs; purged ones are gone)\n");
    }

    @Test
    void listIsAnEmptyBodyNamedByItsAction() {
        assertThat(run("list")).as(err()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(job(42) + "\n");
    }

    @Test
    void eventsAreRequestedByIdAndStateAndPrintedByName() {
        assertThat(run("events", "--from-id", "7", "-s", "DONE-FAILED"))
                .as(err())
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("41 " + job(42) + " DONE-FAILED 2026-11-20T12:00:00.500Z exit=3\n");
        assertThat(ce.requests.get(0))
                .contains("fromEventId>7<", "eventType>JOB_STATUS<", "name>status<", "value>DONE-FAILED<")
                .doesNotContain("toEventId", "fromDate");
    }

    @Test
    void criteriaTravelInTheFilter() {
        assertThat(run(
                        "suspend",
                        "--all",
                        "--from",
                        "2026-01-02 03:04:05",
                        "--status",
                        "IDLE",
                        "--delegation",
                        "d1",
                        "--lease",
                        "l1"))
                .as(err())
                .isZero();
        assertThat(ce.requests.get(0))
                .contains("status>IDLE<", "fromDate>2026-01-02T03:04:05Z<", "delegationId>d1<", "leaseId>l1<")
                .doesNotContain("jobId", "toDate");
    }

    @Test
    void unsupportedOperationIsOneLine() {
        assertThat(run("resume", job(42))).isEqualTo(1);
        assertThat(err()).isEqualTo("ce resume: " + job(42) + ": localhost:" + ce.port() + ": not here\n");
    }

    @Test
    void leasesTravel() {
        assertThat(run("lease", "set", "-T", "60", "L1")).as(err()).isZero();
        assertThat(run("lease", "list")).as(err()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("L1 2026-11-20T13:00:00Z\n".repeat(2));
        assertThat(run("lease", "attach", "-L", "L1", job(42))).as(err()).isZero();
        assertThat(ce.requests.get(2)).contains("newLeaseId>L1<", "CREAM000000042");
        assertThat(ce.requests.get(3)).contains("JobInfoRequest", "CREAM000000042");
        assertThat(run("lease", "detach", job(42))).as(err()).isZero();
        assertThat(ce.requests.get(4)).contains("CREAM000000042").doesNotContain("newLeaseId");
        assertThat(run("lease", "delete", "L1")).as(err()).isZero();
        assertThat(ce.requests.get(5)).contains("deleteLeaseRequest", ">L1<");
    }

    /** The wire's result of such a job is that of a fine one (docs/developer/protocol/cream2-wire.md section 7). */
    @Test
    void aLeaseThatHasRunOutIsNotSaidToBeSet() {
        String fine = ce.responses.get("JobInfo");
        ce.responses.put("JobInfo", fine.replace("SUCCESSFULL", "ERROR"));
        try {
            assertThat(run("lease", "attach", "-L", "L1", job(42))).isEqualTo(1);
            assertThat(err())
                    .isEqualTo("ce lease attach: " + job(42)
                            + ": lease id \"L1\" not found! (ce lease list shows your leases)\n");
            err.reset();
            assertThat(run("lease", "attach", "-L", "L1", "--all")).isEqualTo(1);
            assertThat(err()).contains(job(42) + ": lease id \"L1\" not found!", "for all your other jobs");
        } finally {
            ce.responses.put("JobInfo", fine);
        }
    }

    @Test
    void aJobWithoutAResultIsNotCountedAsDone() {
        assertThat(run("suspend", job(42), job(43))).isEqualTo(1);
        assertThat(err())
                .isEqualTo("ce suspend: " + job(43) + ": the CE sent no result for this job\n"
                        + "ce suspend: hold requested for 1 job\n");
    }

    @Test
    void renewalAndAdmissionTravel() {
        assertThat(run("renew", "mine")).as(err()).isZero();
        assertThat(ce.requests.get(0)).contains("renewProxyReq", "mine");
        assertThat(ce.requests.get(1)).contains("putProxy", "BEGIN CERTIFICATE");
        assertThat(run("disable")).as(err()).isZero();
        assertThat(ce.requests.get(2)).contains("acceptNewJobSubmissions", ">false<");
    }

    @Test
    void typedFaultBecomesOneLine() {
        assertThat(run("cancel", job(42))).isEqualTo(1);
        assertThat(err())
                .isEqualTo("ce cancel: " + job(42) + ": localhost:" + ce.port() + ": CN=User not authorized"
                        + " (ask the site whether it serves your VO; it sees why with: ce explain)\n");
    }

    @Test
    void outputComesOverTheSameTls() {
        assertThat(run("output", job(42))).as(err()).isZero();
        assertThat(temp.resolve("CREAM000000042/env.out")).hasContent("hello");
        assertThat(run("output", job(43))).isEqualTo(1);
        assertThat(err()).contains("job not found").hasLineCount(1);
        assertThat(temp.resolve("CREAM000000043")).doesNotExist();
    }

    @Test
    void untrustedServerIsRefusedBeforeAnythingIsSent() {
        assertThat(run("list", "--ca", otherGrid.certificates.toString())).isEqualTo(1);
        assertThat(err()).contains("certificate is not accepted").hasLineCount(1);
        assertThat(ce.requests).isEmpty();
    }

    @Test
    void serverOfAnotherNameIsRefused() {
        assertThat(run("list", "-e", "127.0.0.1:" + ce.port())).isEqualTo(1);
        assertThat(err()).contains("certificate is not accepted").hasLineCount(1);
        assertThat(ce.requests).isEmpty();
    }

    @Test
    void anUntrustedUsersErrorNamesTheCesRefusal() throws Exception {
        environment.put(
                "X509_USER_PROXY",
                otherGrid.proxy(temp.resolve("other"), Duration.ofHours(1)).toString());
        assertThat(run("list")).isEqualTo(1);
        assertThat(err()).startsWith("ce list: localhost:").hasLineCount(1);
    }

    @Test
    void unusableProxiesAreReportedWithTheirFile() throws Exception {
        Path expired = grid.proxy(temp.resolve("expired"), Duration.ofMinutes(-5));
        Path open = grid.proxy(temp.resolve("open"), Duration.ofHours(1));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Path empty = Files.createFile(
                temp.resolve("empty"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Map<Path, String> words = Map.of(
                expired,
                "expired at",
                open,
                "open to other users",
                empty,
                "holds no certificate",
                temp.resolve("absent"),
                "does not exist",
                temp,
                "is a directory");
        words.forEach((file, word) -> {
            err.reset();
            assertThat(run("list", "--proxy", file.toString())).isEqualTo(1);
            assertThat(err()).contains(file.toString(), word).hasLineCount(1);
        });
        assertThat(ce.requests).isEmpty();
    }

    @Test
    void missingAuthoritiesAreReportedWithTheirDirectory() {
        assertThat(run("list", "--ca", temp.resolve("none").toString())).isEqualTo(1);
        assertThat(err()).contains("no trusted authorities", "X509_CERT_DIR").hasLineCount(1);
    }

    @Test
    void unreachableCeIsOneLine() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertThat(run("list", "-e", "localhost:" + free)).isEqualTo(1);
        assertThat(err()).contains("can't connect").hasLineCount(1);
    }

    /** A login page of a portal, a service of another kind, a proxy in between. */
    @Test
    void whatIsNotTheServicesResponseIsOneLine() {
        Map<String, String> before = Map.copyOf(ce.responses);
        try {
            ce.responses.put("JobList", "<t:JobStatusResponse/>");
            assertThat(run("list")).isEqualTo(1);
            assertThat(err()).endsWith(": the response has JobStatusResponse where JobListResponse belongs\n");
            ce.responses.put("JobList", "</s:Body>");
            err.reset();
            assertThat(run("list")).isEqualTo(1);
            assertThat(err())
                    .contains("HTTP 200 with a response that is not SOAP: ")
                    .hasLineCount(1);
            ce.statuses.put("JobList", 404);
            ce.responses.put("JobList", "<t:JobListResponse/>");
            err.reset();
            assertThat(run("list")).isEqualTo(1);
            assertThat(err()).endsWith(": HTTP 404 without a reason\n");
        } finally {
            ce.responses.putAll(before);
            ce.statuses.remove("JobList");
        }
    }

    @Test
    void debugShowsWhereAnErrorCameFrom() {
        assertThat(run("list", "--debug", "--ca", temp.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(err()).contains("\tat org.gelato.ce.cli");
    }
}
