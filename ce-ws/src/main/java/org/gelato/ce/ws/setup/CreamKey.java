package org.gelato.ce.ws.setup;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.type.LrmsTypes;

/**
 * What becomes of a key of {@code cream-config.xml} (docs/developer/protocol/behaviour.md, sections 6 to 8).
 *
 * @param name the old key
 * @param key the new key; null where there is none
 * @param value makes the new value of the old text
 * @param kind the batch system to which the new key belongs; null for all
 * @param reason why there is no new key, or what else is to know; for {@code key} null empty is not allowed
 * @param needed whether a site that used the key has to do something else
 */
record CreamKey(String name, String key, Function<String, Object> value, String kind, String reason, boolean needed) {
    /** All keys that are known, in the order of the page. */
    static final List<CreamKey> ALL = Stream.concat(general(), ofBatchSystems()).toList();

    static final Map<String, CreamKey> BY_NAME = ALL.stream().collect(Collectors.toMap(CreamKey::name, k -> k));

    private static Stream<CreamKey> general() {
        return Stream.of(
                new CreamKey(
                        "CREAM_SANDBOX_DIR",
                        "gelato.sandbox-root",
                        text -> text,
                        null,
                        "it must belong to root, as all directories above",
                        false),
                seconds("BLAH_COMMAND_TIMEOUT", "gelato.lrms.command-timeout"),
                minutes("LEASE_EXECUTION_RATE", "gelato.jobs.lease-sweep-interval"),
                seconds("MAX_LEASE_TIME", "gelato.jobs.max-lease-time"),
                minutes("JOB_PURGE_RATE", "gelato.jobs.purge-interval"),
                taken("JOB_PURGE_POLICY", "gelato.jobs.purge-policy"),
                seconds("JOB_WRAPPER_DELEGATION_TIME_SLOT", "gelato.wrapper.delegation-time-slot"),
                seconds("JOB_WRAPPER_COPY_PROXY_MIN_RETRY_WAIT", "gelato.wrapper.proxy-retry-wait"),
                taken("CApath", "gelato.tls.ca-directory"),
                taken("VOpath", "gelato.tls.voms-directory"),
                number("Load1", "gelato.admission.load-1-minute"),
                number("Load5", "gelato.admission.load-5-minutes"),
                number("Load15", "gelato.admission.load-15-minutes"),
                number("MemUsage", "gelato.admission.memory"),
                number("SwapUsage", "gelato.admission.swap"),
                number("DiskUsage", "gelato.admission.disk"),
                number("FDNum", "gelato.admission.free-descriptors"),
                number("FDTomcatNum", "gelato.admission.open-descriptors"),
                number("FTPConn", "gelato.admission.gridftp-connections"),
                number("ActiveJobs", "gelato.admission.active-jobs"),
                number("PendingCmds", "gelato.admission.pending-commands"),
                without("BLAH_JOBID_PREFIX", "names of batch jobs begin with cream_ always"),
                without(
                        "LRMS_EVENT_LISTENER_PORT",
                        "wrappers report by files or HTTPS; close that port in the firewall"),
                without("BLPARSER_RETRY_COUNT", "there is no BLParser: the batch system is polled"),
                without("BLPARSER_RETRY_DELAY", "there is no BLParser: the batch system is polled"),
                without("VOreload", "CAs, CRLs and VOMS descriptions are read again each gelato.tls.refresh"),
                without(
                        "JOB_SUBMISSION_MANAGER_ENABLE",
                        "the limits of gelato.admission always hold; -1 switches one off"),
                left(
                        "JOBS_SCRATCH_DIR",
                        "set TMPDIR on the worker nodes (" + Manual.page("docs/admin/worker-nodes.md") + ")"),
                left("CREAM_JOB_SENSOR_HOST", "there are no notifications by CEMon; clients query events"),
                left("CREAM_JOB_SENSOR_PORT", "there are no notifications by CEMon; clients query events"),
                left("LB_DEFAULT_ADDRESS", "nothing is reported to Logging and Bookkeeping"),
                left("LB_IL_PREFIX", "nothing is reported to Logging and Bookkeeping"),
                left("dn_filter", "list DNs to be refused in the file of gelato.authorization.ban"));
    }

    private static Stream<CreamKey> ofBatchSystems() {
        return LrmsTypes.all().stream()
                .flatMap(type -> type.creamKeys().stream()
                        .map(m -> new CreamKey(m.name(), m.key(), m.value(), type.name(), m.otherwise(), false)));
    }

    private static CreamKey taken(String name, String key) {
        return new CreamKey(name, key, text -> text, null, "", false);
    }

    private static CreamKey number(String name, String key) {
        return new CreamKey(name, key, Integer::valueOf, null, "", false);
    }

    private static CreamKey seconds(String name, String key) {
        return new CreamKey(name, key, text -> Long.parseLong(text) + " s", null, "", false);
    }

    private static CreamKey minutes(String name, String key) {
        return new CreamKey(name, key, text -> Long.parseLong(text) + " minutes", null, "", false);
    }

    private static CreamKey without(String name, String reason) {
        return new CreamKey(name, null, text -> text, null, reason, false);
    }

    private static CreamKey left(String name, String reason) {
        return new CreamKey(name, null, text -> text, null, reason, true);
    }

    /** Its line in docs/admin/from-cream.md. */
    String line() {
        String fate = key == null
                ? (needed ? "not taken over: " : "not needed: ") + reason
                : "`" + key + "`"
                        + Stream.of(kind == null ? "" : "with " + kind + " only", reason)
                                .filter(t -> !t.isEmpty())
                                .collect(Collectors.joining("; ", reason.isEmpty() && kind == null ? "" : "; ", ""));
        return "- `" + name + "`: " + fate;
    }
}
