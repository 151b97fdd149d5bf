package org.gelato.ce.ws.audit;

import java.util.List;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.SiteControl;

/** Writes down what administrators drain, enable, ban and unban. Any thread. */
public final class AuditedControl implements SiteControl {
    private final SiteControl control;
    private final AuditLog audit;

    public AuditedControl(SiteControl control, AuditLog audit) {
        this.control = control;
        this.audit = audit;
    }

    @Override
    public Load drain(Caller caller, Drain.Part part, String name, String reason) {
        Load load = control.drain(caller, part, name, reason);
        write(AuditEvent.DRAIN, caller, text(part, name), reason);
        return load;
    }

    @Override
    public boolean enable(Caller caller, Drain.Part part, String name) {
        boolean there = control.enable(caller, part, name);
        write(AuditEvent.ENABLE, caller, text(part, name), null);
        return there;
    }

    @Override
    public Load load(Drain.Part part, String name) {
        return control.load(part, name);
    }

    @Override
    public List<Drain> drains() {
        return control.drains();
    }

    @Override
    public Banned ban(Caller caller, Ban.Kind kind, String name, String reason, boolean cancel, boolean force) {
        Banned banned = control.ban(caller, kind, name, reason, cancel, force);
        AuditLine line = line(AuditEvent.BAN, caller, kind + " " + banned.ban().name(), reason);
        audit.done(cancel ? line.with(AuditField.COUNT, Long.toString(banned.cancelled())) : line);
        return banned;
    }

    @Override
    public boolean unban(Caller caller, Ban.Kind kind, String name) {
        boolean there = control.unban(caller, kind, name);
        write(AuditEvent.UNBAN, caller, kind + " " + name, null);
        return there;
    }

    @Override
    public List<Ban> bans() {
        return control.bans();
    }

    private static String text(Drain.Part part, String name) {
        return name == null ? part.toString() : part + " " + name;
    }

    private void write(AuditEvent event, Caller caller, String target, String reason) {
        audit.done(line(event, caller, target, reason));
    }

    private static AuditLine line(AuditEvent event, Caller caller, String target, String reason) {
        AuditLine line = AuditLine.ofRequest(event).with(caller).with(AuditField.TARGET, target);
        return reason == null ? line : line.with(AuditField.REASON, reason);
    }
}
