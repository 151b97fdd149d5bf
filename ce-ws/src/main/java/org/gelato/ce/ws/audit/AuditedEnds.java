package org.gelato.ce.ws.audit;

import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.job.JobEnds;
import org.gelato.ce.core.job.JobNumbers;

/** Writes down how jobs ended, when it is committed. Any thread. */
public final class AuditedEnds implements Consumer<List<JobEnds.End>> {
    /** What users and wrappers write about a failure may hold an address, with a password or a token in it. */
    private static final Pattern PASSWORD = Pattern.compile("(\\w://)[^/\\s@]*@");

    private static final Pattern QUERY = Pattern.compile("(\\w://[^\\s?]*)\\?\\S*");

    private final JobNumbers numbers;
    private final AuditLog audit;

    public AuditedEnds(JobNumbers numbers, AuditLog audit) {
        this.numbers = numbers;
        this.audit = audit;
    }

    @Override
    public void accept(List<JobEnds.End> ends) {
        audit.write(ends.stream().map(this::line).toList());
    }

    private AuditLine line(JobEnds.End end) {
        return new AuditLine(AuditEvent.END)
                .with(AuditField.STATE, end.state().wireName())
                .with(AuditField.EXIT_CODE, end.exitCode())
                .with(AuditField.REASON, withoutSecrets(end.reason()))
                .with(AuditField.DN, end.owner().subject())
                .with(AuditField.FQAN, end.owner().group())
                .with(AuditField.ACCOUNT, end.account())
                .with(AuditField.JOB, numbers.id(end.row()).toString())
                .with(AuditField.BATCH_ID, end.lrmsId());
    }

    static String withoutSecrets(String reason) {
        return reason == null
                ? null
                : QUERY.matcher(PASSWORD.matcher(reason).replaceAll("$1...@")).replaceAll("$1?...");
    }
}
