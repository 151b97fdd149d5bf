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
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
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
import org.gelato.ce.cli.wire.MappingReport;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.cli.wire.RandomText;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.SiteJob;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.cli.wsdl.cream2.CommandResult;
import org.gelato.ce.cli.wsdl.cream2.JobDescription;
import org.gelato.ce.cli.wsdl.cream2.JobId;
import org.gelato.ce.cli.wsdl.cream2.JobInfoResult;
import org.gelato.ce.cli.wsdl.cream2.JobRegisterRequest;
import org.gelato.ce.cli.wsdl.cream2.JobRegisterResult;
import org.gelato.ce.cli.wsdl.cream2.JobStatusResult;
import org.gelato.ce.cli.wsdl.cream2.Result;
import org.gelato.ce.cli.wsdl.delegation.DelegationException;

/** A CE over the CREAM2 and delegation services, and its output over HTTPS. Keeps its connection between calls. */
final class SoapComputingElement implements ComputingElement {
    /** Requests everything the service reports about itself. */
    private static final int FULL_VERBOSITY = 2;

    private static final int JOBS_PER_REQUEST = 100;

    private static final String UPLOAD_PROPERTY = "HTTPSInputSandboxURI";

    private static final String NOT_IN_THIS_STATE = "JobStatusInvalidFault";

    private final SoapPorts ports;
    private final Repetition repetition;
    private final HttpsServices https;
    private final Optional<UnaryOperator<String>> signer;
    private final Map<String, String> uploads = new HashMap<>();

    /** @param signer turns a certificate request into a chain, both PEM; empty for a user without a proxy */
    SoapComputingElement(
            SoapPorts ports, Repetition repetition, HttpsServices https, Optional<UnaryOperator<String>> signer) {
        this.ports = ports;
        this.repetition = repetition;
        this.https = https;
        this.signer = signer;
    }

    @Override
    public Endpoint endpoint() {
        return ports.endpoint();
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
        ports.call(() -> {
            answer(delegationId, ports.delegation().getProxyReq(delegationId));
            return null;
        });
    }

    @Override
    public void renew(String delegationId) {
        signer();
        ports.call(() -> {
            answer(delegationId, ports.delegation().renewProxyReq(delegationId));
            return null;
        });
    }

    private UnaryOperator<String> signer() {
        return signer.orElseThrow(() -> new CliException(
                "there is no proxy to delegate, only a token: submit without a delegation, or make a proxy with"
                        + " voms-proxy-init"));
    }

    private void answer(String delegationId, String request) throws DelegationException {
        if (request == null) {
            throw new CliException("the CE sent no certificate request");
        }
        ports.delegation().putProxy(delegationId, signer().apply(request));
    }

    @Override
    public List<Response<String>> register(List<JobText> jdls, String delegationId) {
        JobRegisterRequest request = new JobRegisterRequest();
        Map<String, Response<String>> responses = new LinkedHashMap<>();
        for (int i = 0; i < jdls.size(); i++) {
            JobDescription description = new JobDescription();
            description.setJDL(jdls.get(i).text());
            description.setDelegationId(delegationId);
            description.setAutoStart(false);
            description.setJobDescriptionId(descriptionId(i));
            request.getJobDescriptionList().add(description);
        }
        // One key for all tries: the CE gives a repeated request the jobs it made the first time.
        String key = RandomText.hex();
        for (JobRegisterResult result : repetition
                .ofKeyed(attempt ->
                        ports.call(() -> ports.keyed(key, () -> ports.cream2().jobRegister(request))))
                .getResult()) {
            responses.put(result.getJobDescriptionId(), answer(result));
            noteUploads(result.getJobId());
        }
        List<Response<String>> inOrder = new ArrayList<>();
        for (int i = 0; i < jdls.size(); i++) {
            Response<String> response = responses.get(descriptionId(i));
            inOrder.add(response != null ? response : Response.refused(descriptionId(i), noResponse()));
        }
        return inOrder;
    }

    /** Where a new job's files go, from the properties of its id. */
    private void noteUploads(JobId job) {
        if (job != null) {
            job.getProperty().stream()
                    .filter(p -> UPLOAD_PROPERTY.equals(p.getName()) && p.getValue() != null)
                    .forEach(p -> uploads.put(job.getId(), p.getValue()));
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
        https.input().upload(place.substring(own.length() - 1), file, progress);
    }

    private static String descriptionId(int index) {
        return "JobName_" + index;
    }

    private static Response<String> answer(JobRegisterResult result) {
        WireFault fault = Faults.of(result);
        if (fault != null) {
            return Response.refused(result.getJobDescriptionId(), fault);
        }
        String id = result.getJobId() == null ? null : result.getJobId().getId();
        return id != null && JobUrl.isLocalId(id)
                ? Response.of(result.getJobDescriptionId(), id)
                : Response.refused(result.getJobDescriptionId(), noResponse());
    }

    private static WireFault noResponse() {
        return new WireFault("GenericFault", null, "the CE sent no result for this job", null);
    }

    @Override
    public List<Response<Void>> start(List<String> localIds) {
        return repetition.of(attempt -> {
            JobSelector jobs = JobSelector.of(localIds);
            List<Response<Void>> refusals =
                    refusals(jobs, ports.call(() -> ports.cream2().jobStart(ports.filter(jobs))));
            // A job that is no longer registered when the start is repeated was started by the try whose response was
            // lost.
            refusals.removeIf(
                    r -> attempt > 1 && NOT_IN_THIS_STATE.equals(r.fault().kind()));
            return refusals;
        });
    }

    @Override
    public List<Response<Void>> cancel(JobSelector jobs) {
        return refusals(jobs, ports.call(() -> ports.cream2().jobCancel(ports.filter(jobs))));
    }

    @Override
    public List<Response<Void>> purge(JobSelector jobs) {
        return refusals(jobs, ports.call(() -> ports.cream2().jobPurge(ports.filter(jobs))));
    }

    @Override
    public List<Response<Void>> suspend(JobSelector jobs) {
        return refusals(jobs, ports.call(() -> ports.cream2().jobSuspend(ports.filter(jobs))));
    }

    @Override
    public List<Response<Void>> resume(JobSelector jobs) {
        return refusals(jobs, ports.call(() -> ports.cream2().jobResume(ports.filter(jobs))));
    }

    /**
     * The refusals among the results of a command.
     *
     * @param jobs each that is named has a result (docs/developer/protocol/cream2-wire.md section 7); one that has none counts as refused
     */
    static List<Response<Void>> refusals(JobSelector jobs, CommandResult results) {
        Set<String> missing = new LinkedHashSet<>(jobs.localIds());
        List<Response<Void>> refusals = new ArrayList<>();
        for (Result result : results.getResult()) {
            String id = result.getJobId() == null ? null : result.getJobId().getId();
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
        Map<String, Response<StatusReport>> responses = new LinkedHashMap<>();
        for (JobStatusResult result :
                ports.call(() -> ports.cream2().jobStatus(ports.filter(jobs))).getResult()) {
            JobId jobId =
                    result.getJobStatus() == null ? null : result.getJobStatus().getJobId();
            String id = localId(jobId, result.getJobDescriptionId());
            WireFault fault = Faults.of(result);
            if (fault != null) {
                responses.put(id, Response.refused(id, fault));
            } else if (result.getJobStatus() != null) {
                responses.put(id, Response.of(id, Reports.status(result.getJobStatus())));
            }
        }
        return inOrder(jobs.localIds(), responses);
    }

    @Override
    public List<Response<JobReport>> info(JobSelector jobs) {
        Map<String, Response<JobReport>> responses = new LinkedHashMap<>();
        for (JobInfoResult result :
                ports.call(() -> ports.cream2().jobInfo(ports.filter(jobs))).getResult()) {
            JobId jobId =
                    result.getJobInfo() == null ? null : result.getJobInfo().getJobId();
            String id = localId(jobId, result.getJobDescriptionId());
            WireFault fault = Faults.of(result);
            if (fault != null) {
                responses.put(id, Response.refused(id, fault));
            } else if (result.getJobInfo() != null) {
                responses.put(id, Response.of(id, Reports.job(result.getJobInfo())));
            }
        }
        return inOrder(jobs.localIds(), responses);
    }

    /** Faults carry their job in the attribute only, as a full address. */
    private static String localId(JobId jobId, String descriptionId) {
        if (jobId != null && jobId.getId() != null) {
            return jobId.getId();
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
        return ports.call(() -> ports.cream2().jobList()).getResult().stream()
                .map(JobId::getId)
                .filter(id -> id != null && JobUrl.isLocalId(id))
                .toList();
    }

    @Override
    public ServiceReport serviceInfo() {
        return Reports.service(ports.call(() -> ports.cream2().getServiceInfo(FULL_VERBOSITY)));
    }

    @Override
    public void acceptJobs(boolean accept) {
        ports.call(() -> {
            ports.cream2().acceptNewJobSubmissions(accept);
            return null;
        });
    }

    @Override
    public EventBatch events(EventSelector events) {
        return Events.batch(ports.call(() -> ports.cream2().queryEvent(Events.request(events))));
    }

    @Override
    public Optional<LiveEvents> live(String cursor) {
        return https.live().apply(cursor);
    }

    @Override
    public MessageCalls messages() {
        return https.messages();
    }

    @Override
    public LeaseCalls leases() {
        return new SoapLeases(ports, this::info);
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
    public MappingReport explain(String dn, List<String> fqans) {
        return https.explain().explain(dn, fqans);
    }

    @Override
    public JsonNode control(String method, String what, Map<String, String> parameters) {
        return https.siteControl().control(method, what, parameters);
    }

    @Override
    public void siteJobs(SiteJob.Filter filter, Consumer<SiteJob> jobs) {
        https.siteJobs().read(filter, jobs);
    }
}
