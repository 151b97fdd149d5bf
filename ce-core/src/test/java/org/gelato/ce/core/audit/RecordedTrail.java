package org.gelato.ce.core.audit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what was reported. Any thread. */
public final class RecordedTrail implements AuditTrail {
    private final List<AuditAct> acts = new CopyOnWriteArrayList<>();
    private final List<AuditAct> refusals = new CopyOnWriteArrayList<>();

    @Override
    public void done(List<AuditAct> more) {
        acts.addAll(more);
    }

    @Override
    public void refused(AuditAct act) {
        refusals.add(act);
    }

    /** What was done, by age. */
    public List<AuditAct> acts() {
        return List.copyOf(acts);
    }

    /** What was done, as {@code lease-set {lease=L1, target=...}} each. */
    public List<String> texts() {
        return acts.stream().map(RecordedTrail::text).toList();
    }

    /** What was refused, likewise. */
    public List<String> refusals() {
        return refusals.stream().map(RecordedTrail::text).toList();
    }

    private static String text(AuditAct act) {
        Map<String, String> details = new TreeMap<>();
        act.details().forEach((field, value) -> details.put(field.text(), value));
        return act.event().text() + " " + details;
    }
}
