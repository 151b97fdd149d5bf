package org.gelato.ce.cli.soap;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.gelato.ce.cli.http.Repetition;
import org.gelato.ce.cli.http.TransportErrors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.wire.LeaseCalls;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.cli.wire.RandomText;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.SiteJob;

/** A CE over the CREAM2 and delegation services, and its output over HTTPS. Keeps its connection between calls. */
final class SoapComputingElement implements ComputingElement {
    /** Requests everything the service reports about itself. */
    private static final int FULL_VERBOSITY = 2;

    private static final int JOBS_PER_REQUEST = 100;

    private static final String DESCRIPTION_ID = "jobDescriptionId";

    private static final String UPLOAD_PROPERTY = "HTTPSInputSandboxURI";

    private final CreamCalls calls;
    private final Repetition repetition;
    private final HttpsServices https;
    private final Optional<UnaryOperator<String>> signer;
    private final Map<String, String> uploads = new HashMap<>();

    /** @param signer turns a certificate request into a chain, both PEM; empty for a user without a proxy */
    SoapComputingElement(
            CreamCalls calls, Repetition repetition, HttpsServices https, Optional<UnaryOperator<String>> signer) {
        this.calls = calls;
        this.repetition = repetition;
        this.https = https;
        this.signer = signer;
    }

    @Override
    public Endpoint endpoint() {
        return calls.endpoint();
    }

    @Override
    public void check(String description) {
        Language language = Language.of(description);
        if (language != Language.JDL) {
            throw new CliException(
                    "CREAM2 takes JDL alone, and this is " + language + ": use --protocol arcrest, or write it as JDL");
        }
    }

    @Override
    public int registrationsAtOnce() {
        return JOBS_PER_REQUEST;
    }

    @Override
    public boolean startsWithRegistration() {
        return false;
    }

    @Override
    public Optional<String> delegate() {
        if (signer.isEmpty()) {
            return Optional.empty();
        }
        String id = RandomText.hex();
        delegate(id);
        return Optional.of(id);
    }

    @Override
    public void delegate(String delegationId) {
        signer();
        boolean[] sent = new boolean[1];
        repetition.of(Repetition.TRIES, attempt -> {
            if (sent[0] && isDelegated(delegationId)) {
                return null;
            }
            String chain = signed("getProxyReq", delegationId);
            // The CE had no such delegation when it asked for this: if there is one from now on, it is this one.
            sent[0] = true;
            put(delegationId, chain);
            return null;
        });
    }

    private boolean isDelegated(String id) {
        try {
            return calls.delegation(new Element("getTerminationTime").add("delegationID", id)) != null;
        } catch (ServiceFault e) {
            if (e.mayHaveBeenDone()) {
                throw e;
            }
            return false;
        }
    }

    /** A renewal that comes twice gives what it gave. */
    @Override
    public void renew(String delegationId) {
        signer();
        repetition.of(Repetition.TRIES, attempt -> {
            put(delegationId, signed("renewProxyReq", delegationId));
            return null;
        });
    }

    private UnaryOperator<String> signer() {
        return signer.orElseThrow(() -> new CliException(
                "there is no proxy to delegate, only a token: submit without a delegation, or make a proxy with"
                        + " voms-proxy-init"));
    }

    private String signed(String operation, String id) {
        String request = calls.delegation(new Element(operation).add("delegationID", id));
        if (request == null) {
            throw TransportErrors.unreadable(endpoint(), "the CE sent no certificate request", null);
        }
        return signer().apply(request);
    }

    private void put(String id, String chain) {
        calls.delegation(new Element("putProxy").add("delegationID", id).add("proxy", chain));
    }

    @Override
    public List<Response<String>> register(List<JobText> jdls, String delegationId) {
        Element request = JobServiceOperation.REGISTER.request();
        Map<String, Response<String>> responses = new LinkedHashMap<>();
        for (int i = 0; i < jdls.size(); i++) {
            request.add(new Element("jobDescriptionList")
                    .attribute(DESCRIPTION_ID, descriptionId(i))
                    .add("JDL", jdls.get(i).text())
                    .add("delegationId", delegationId)
                    .add("autoStart", false));
        }
        // One key for all tries: the CE gives a repeated request the jobs it made the first time.
        String key = RandomText.hex();
        for (Element result : repetition
                .of(Repetition.TRIES, attempt -> calls.keyed(key, JobServiceOperation.REGISTER, request))
                .children("result")) {
            responses.put(result.attribute(DESCRIPTION_ID), answer(result));
            noteUploads(result.child("jobId"));
        }
        List<Response<String>> inOrder = new ArrayList<>();
        for (int i = 0; i < jdls.size(); i++) {
            Response<String> response = responses.get(descriptionId(i));
            inOrder.add(response != null ? response : Response.refused(descriptionId(i), noResponse()));
        }
        return inOrder;
    }

    /** Where a new job's files go, from the properties of its id. */
    private void noteUploads(Element job) {
        String place = job == null ? null : job.properties().get(UPLOAD_PROPERTY);
        if (place != null) {
            uploads.put(job.text("id"), place);
        }
    }

    @Override
    public void upload(String localId, InputFile file, LongConsumer progress) {
        String place = uploads.get(localId);
        if (place == null) {
            throw new CliException(endpoint() + " takes no files over HTTPS: its response to the registration has no "
                    + UPLOAD_PROPERTY);
        }
        String own = "https://" + endpoint() + "/";
        if (!place.toLowerCase(Locale.ROOT).startsWith(own.toLowerCase(Locale.ROOT))) {
            throw new CliException("the CE wants its files at another place than itself: " + Printable.line(place));
        }
        // Nothing has started the job yet.
        https.input().upload(place.substring(own.length() - 1), file, () -> false, progress);
    }

    private static String descriptionId(int index) {
        return "JobName_" + index;
    }

    private static Response<String> answer(Element result) {
        String description = result.attribute(DESCRIPTION_ID);
        WireFault fault = Faults.of(result);
        if (fault != null) {
            return Response.refused(description, fault);
        }
        String id = jobId(result);
        return id != null && JobUrl.isLocalId(id)
                ? Response.of(description, id)
                : Response.refused(description, noResponse());
    }

    /** The id of the job that an element is of; null when it names none. */
    static String jobId(Element of) {
        Element job = of.child("jobId");
        return job == null ? null : job.text("id");
    }

    private static WireFault noResponse() {
        return new WireFault("GenericFault", null, "the CE sent no result for this job", null);
    }

    @Override
    public List<Response<Void>> start(List<String> localIds) {
        return repetition.of(Repetition.TRIES, attempt -> command(JobServiceOperation.START, JobSelector.of(localIds)));
    }

    @Override
    public List<Response<Void>> cancel(JobSelector jobs) {
        return command(JobServiceOperation.CANCEL, jobs);
    }

    @Override
    public List<Response<Void>> purge(JobSelector jobs) {
        return command(JobServiceOperation.PURGE, jobs);
    }

    @Override
    public List<Response<Void>> suspend(JobSelector jobs) {
        return command(JobServiceOperation.SUSPEND, jobs);
    }

    @Override
    public List<Response<Void>> resume(JobSelector jobs) {
        return command(JobServiceOperation.RESUME, jobs);
    }

    private List<Response<Void>> command(JobServiceOperation operation, JobSelector jobs) {
        return refusals(jobs, calls.cream2(operation, jobs));
    }

    /**
     * The refusals among the results of a command.
     *
     * @param jobs each that is named has a result (docs/developer/protocol/cream2-wire.md section 7); one that has none counts as refused
     */
    static List<Response<Void>> refusals(JobSelector jobs, Element results) {
        Set<String> missing = new LinkedHashSet<>(jobs.localIds());
        List<Response<Void>> refusals = new ArrayList<>();
        for (Element result : results.children("result")) {
            String id = jobId(result);
            if (id == null || !JobUrl.isLocalId(id)) {
                continue;
            }
            missing.remove(id);
            WireFault fault = Faults.of(result);
            if (fault != null) {
                refusals.add(Response.refused(id, fault));
            }
        }
        missing.forEach(id -> refusals.add(Response.refused(id, noResponse())));
        return refusals;
    }

    @Override
    public List<Response<StatusReport>> status(JobSelector jobs) {
        return reports(JobServiceOperation.STATUS, jobs, "jobStatus", Reports::status);
    }

    @Override
    public List<Response<JobReport>> info(JobSelector jobs) {
        return reports(JobServiceOperation.INFO, jobs, "jobInfo", Reports::job);
    }

    private <T> List<Response<T>> reports(
            JobServiceOperation operation, JobSelector jobs, String element, Function<Element, T> report) {
        Map<String, Response<T>> responses = new LinkedHashMap<>();
        for (Element result : calls.cream2(operation, jobs).children("result")) {
            Element of = result.child(element);
            String id = localId(of == null ? null : jobId(of), result.attribute(DESCRIPTION_ID));
            WireFault fault = Faults.of(result);
            if (fault != null) {
                responses.put(id, Response.refused(id, fault));
            } else if (of != null) {
                responses.put(id, Response.of(id, report.apply(of)));
            }
        }
        return inOrder(jobs.localIds(), responses);
    }

    /** Faults carry their job in the attribute only, as a full address. */
    private static String localId(String id, String descriptionId) {
        if (id != null) {
            return id;
        }
        return descriptionId == null ? "" : descriptionId.substring(descriptionId.lastIndexOf('/') + 1);
    }

    private static <T> List<Response<T>> inOrder(List<String> localIds, Map<String, Response<T>> responses) {
        if (localIds.isEmpty()) {
            return List.copyOf(responses.values());
        }
        List<Response<T>> ordered = new ArrayList<>();
        for (String id : localIds) {
            Response<T> response = responses.get(id);
            ordered.add(response != null ? response : Response.refused(id, noResponse()));
        }
        return ordered;
    }

    @Override
    public List<String> list() {
        return calls.cream2(JobServiceOperation.LIST, (Element) null).children("result").stream()
                .map(job -> job.text("id"))
                .filter(id -> id != null && JobUrl.isLocalId(id))
                .toList();
    }

    @Override
    public ServiceReport serviceInfo() {
        return Reports.service(calls.cream2(
                JobServiceOperation.SERVICE_INFO, JobServiceOperation.SERVICE_INFO.request(FULL_VERBOSITY)));
    }

    @Override
    public void acceptJobs(boolean accept) {
        calls.cream2(JobServiceOperation.ACCEPT_SUBMISSIONS, JobServiceOperation.ACCEPT_SUBMISSIONS.request(accept));
    }

    @Override
    public EventBatch events(EventSelector events) {
        return Events.batch(calls.cream2(JobServiceOperation.EVENTS, Events.request(events)));
    }

    @Override
    public Optional<LiveEvents> live(String cursor) {
        return https.live().apply(cursor);
    }

    @Override
    public MessageCalls messages() {
        return https.messages().get();
    }

    @Override
    public LeaseCalls leases() {
        return new SoapLeases(calls, this::info);
    }

    @Override
    public List<OutputFile> outputFiles(String localId, boolean all) {
        return https.output().list(localId);
    }

    @Override
    public InputStream output(String localId, String name) {
        return https.output().open(localId, name);
    }

    @Override
    public Explanation explain(String dn, List<String> fqans, String queue, Integer cores) {
        return https.explain().get().explain(dn, fqans, queue, cores);
    }

    @Override
    public JsonNode control(String method, String what, Map<String, String> parameters) {
        return https.siteControl().get().control(method, what, parameters);
    }

    @Override
    public void siteJobs(SiteJobFilter filter, Consumer<SiteJob> jobs) {
        https.siteJobs().get().read(filter, jobs);
    }
}
