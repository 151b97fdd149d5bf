package org.gelato.ce.blahbridge.blahp;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.description.JobRequest.Resource;

/**
 * Writes the submit ad of a job (docs/developer/protocol/jdl.md section 4). blahpd builds a command line of most values and lets a
 * shell's rules expand it, so a value that a shell could take for more than text is refused, or left out where blahpd
 * only notes it. Pure.
 */
final class SubmitAd {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");
    private static final Pattern WORDS = Pattern.compile("[A-Za-z0-9_./:@%+=, -]+");
    private static final Pattern NOTED = Pattern.compile("[^\"'\\\\`$\\p{Cntrl}]+");
    private static final Pattern EXPRESSION = Pattern.compile("[^`$\\p{Cntrl}]+");

    private final StringBuilder ad = new StringBuilder("[");

    private SubmitAd() {}

    /** blahpd has nothing for the others. */
    static Renderers<String> renderers(int hostSmpSize) {
        return new Renderers<String>()
                .with("WholeNodes", r -> r.nodes().wholeNodes() ? true : null, Resource.SLOTS)
                .with("HostSMPSize", r -> r.nodes().wholeNodes() ? hostSmpSize : null, Resource.SLOTS)
                .with(
                        "NodeNumber",
                        r -> r.nodes().wholeNodes() ? null : r.nodes().cpus(),
                        Resource.SLOTS)
                .with("SMPGranularity", r -> r.nodes().smpGranularity(), Resource.SLOTS)
                .with("HostNumber", r -> r.nodes().hosts(), Resource.SLOTS)
                .with("MICNumber", r -> r.nodes().mics(), Resource.MICS)
                .with("GPUNumber", r -> r.nodes().gpus(), Resource.GPUS)
                .with("GPUMode", r -> checkedText("GPUMode", WORDS, r.nodes().gpuMode()), Resource.GPU_MODE)
                .with("GPUModel", r -> checkedText("GPUModel", WORDS, r.nodes().gpuModel()), Resource.GPU_MODEL)
                // which have the limits, too
                .with(
                        "CERequirements",
                        r -> checkedText("CERequirements", EXPRESSION, r.nodes().ceRequirements()));
    }

    /**
     * The ad on one line, not yet escaped for the channel.
     *
     * @param queue empty for none
     * @throws IllegalArgumentException with a message for the user when a value cannot be handed to blahpd
     */
    static String of(Submission s, String gridType, int hostSmpSize, String queue) {
        SubmitAd ad = new SubmitAd();
        Submission.Origin origin = s.origin();
        ad.text("Cmd", path(s.wrapperFile()));
        ad.text("gridType", gridType);
        ad.text("uniquejobid", s.id().toString());
        ad.text("Out", path(s.stdout()));
        ad.text("Err", path(s.stderr()));
        // HTCondor's wrappers fetch theirs, and one that HTCondor cannot delegate keeps a job from starting
        if (origin != null && origin.proxyFile() != null && !BlahJobId.isCondor(gridType)) {
            ad.text("x509userproxy", path(origin.proxyFile()));
        }
        ad.user(origin);
        if (s.request() != null) {
            ad.environment(s.request().others().get("MwVersion"));
        }
        ad.text("ClientJobId", s.id().tag());
        if (s.request() != null) {
            renderers(hostSmpSize)
                    .render(s.request().resources(), new LinkedHashMap<>())
                    .forEach((name, value) -> ad.add(name, value.toString()));
            ad.noted("Args", PLAIN, s.request().origin().sequenceCode());
            if (origin != null && origin.fromIce()) {
                ad.noted("edg_jobid", PLAIN, s.request().origin().gridJobId());
            }
        }
        if (!queue.isEmpty()) {
            ad.text("queue", checked("QueueName", PLAIN, queue));
        }
        return ad.ad.append(']').toString();
    }

    /** Subject and FQAN are always there: without either HTCondor's blahpd logs nothing of the submission. */
    private void user(Submission.Origin origin) {
        Owner owner = origin == null ? null : origin.owner();
        noted("VirtualOrganisation", PLAIN, owner == null ? null : owner.vo());
        String subject =
                owner == null || TokenIdentity.isSubject(owner.subject()) ? "" : DnForms.slash(owner.subject());
        text("x509UserProxySubject", NOTED.matcher(subject).matches() ? subject : "");
        String group = owner == null ? "" : owner.group();
        text("x509UserProxyFQAN", "\"userFQAN=" + (NOTED.matcher(group).matches() ? group : "") + "\"");
        noted("ceid", PLAIN, origin == null ? null : origin.ceId());
    }

    private void environment(String mwVersion) {
        if (mwVersion != null && !mwVersion.isEmpty()) {
            text("Env", "EDG_MW_VERSION=" + checked("MwVersion", PLAIN, mwVersion));
        }
    }

    private void add(String name, String value) {
        if (ad.length() > 1) {
            ad.append(';');
        }
        ad.append(name).append('=').append(value);
    }

    private void text(String name, String value) {
        add(name, quoted(value));
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String checkedText(String name, Pattern allowed, String value) {
        return value == null || value.isEmpty() ? null : quoted(checked(name, allowed, value));
    }

    private void noted(String name, Pattern allowed, String value) {
        if (value != null && allowed.matcher(value).matches()) {
            text(name, value);
        }
    }

    private static String path(Path path) {
        return checked("path", PLAIN, path.toString());
    }

    private static String checked(String name, Pattern allowed, String value) {
        if (!allowed.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    name + ": '" + value + "' has characters this batch system cannot be given");
        }
        return value;
    }
}
