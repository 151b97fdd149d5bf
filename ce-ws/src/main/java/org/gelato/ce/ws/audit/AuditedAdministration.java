package org.gelato.ce.ws.audit;

import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.Explanation;

/** Writes down what administrators do. Any thread. */
public final class AuditedAdministration implements Admission, Explainer {
    private final Admission admission;
    private final Explainer explainer;
    private final AuditLog audit;

    public AuditedAdministration(Admission admission, Explainer explainer, AuditLog audit) {
        this.admission = admission;
        this.explainer = explainer;
        this.audit = audit;
    }

    @Override
    public void admit(Caller caller, int jobs) {
        admission.admit(caller, jobs);
    }

    @Override
    public void open(Caller caller, boolean accepting) {
        admission.open(caller, accepting);
        audit.done(AuditLine.ofRequest(accepting ? AuditEvent.SUBMISSION_ENABLED : AuditEvent.SUBMISSION_DISABLED)
                .with(caller));
    }

    @Override
    public Optional<String> refusal(String queue) {
        return admission.refusal(queue);
    }

    @Override
    public List<String> drained() {
        return admission.drained();
    }

    @Override
    public State state() {
        return admission.state();
    }

    /**
     * The jobs of all users were read.
     *
     * @param criteria by which jobs were chosen, or a job's id
     */
    public void jobsRequested(String criteria) {
        audit.done(AuditLine.ofRequest(AuditEvent.LIST_JOBS).with(AuditField.TARGET, criteria));
    }

    /**
     * Usage was published because an administrator wanted it.
     *
     * @param what an interval, or what was due
     */
    public void usagePublished(Caller caller, String what, long records) {
        audit.done(AuditLine.ofRequest(AuditEvent.PUBLISH_USAGE)
                .with(caller)
                .with(AuditField.TARGET, what)
                .with(AuditField.COUNT, Long.toString(records)));
    }

    @Override
    public Explanation explain(String dn, List<String> fqans) {
        Explanation explanation = explainer.explain(dn, fqans);
        audit.done(AuditLine.ofRequest(AuditEvent.EXPLAIN).with(AuditField.TARGET, dn));
        return explanation;
    }
}
