package org.gelato.ce.ws.audit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the audit log. A call returns when its lines are written, all by one write: after the act is committed, before the
 * client has its response. A file that cannot be written costs no act: the lines are lost, counted, and named once in the
 * application log (decision 0068). Any thread.
 */
public final class AuditLog implements AuditTrail, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
    private static final String NO_ADDRESS = "";

    private final AuditSettings settings;
    private final AuditFile file;
    private final Clock clock;
    private final RefusalLimit limit = new RefusalLimit();
    private long lost;
    private boolean failing;

    public AuditLog(AuditSettings settings, Clock clock) {
        this.settings = settings;
        this.file = new AuditFile(settings);
        this.clock = clock;
    }

    /** A refusal or a ban that was hit; beyond the limits it is counted only. */
    synchronized void refused(AuditLine line) {
        Instant now = clock.instant();
        suppressed(now, minute(now));
        String address = line.value(AuditField.ADDRESS);
        if (limit.admits(address == null ? NO_ADDRESS : address)) {
            append(List.of(line), now);
        }
    }

    /** A certificate chain that the TLS handshake refused; the connection's address is not known there. */
    public void refusedChain(String subject, String reason) {
        refused(new AuditLine(AuditEvent.REFUSED).with(AuditField.DN, subject).with(AuditField.REASON, reason));
    }

    @Override
    public void refused(AuditAct act) {
        refused(AuditLine.of(act));
    }

    @Override
    public void done(List<AuditAct> acts) {
        write(acts.stream().map(AuditLine::of).toList());
    }

    /** Writes what was done. */
    synchronized void write(List<AuditLine> lines) {
        if (!lines.isEmpty()) {
            append(lines, clock.instant());
        }
    }

    void done(AuditLine line) {
        write(List.of(line));
    }

    /** Writes how many refusals were suppressed in a minute that has ended. For the scheduler. */
    public synchronized void tick() {
        Instant now = clock.instant();
        suppressed(now, minute(now));
    }

    /** Lines that could not be written, since start. */
    public synchronized long lost() {
        return lost;
    }

    /** Writes how many refusals were suppressed in the present minute. */
    @Override
    public synchronized void close() {
        suppressed(clock.instant(), Long.MAX_VALUE);
    }

    private static long minute(Instant now) {
        return Math.floorDiv(now.getEpochSecond(), 60);
    }

    private void suppressed(Instant now, long minute) {
        long count = limit.ended(minute);
        if (count > 0) {
            append(List.of(new AuditLine(AuditEvent.SUPPRESSED).with(AuditField.COUNT, Long.toString(count))), now);
        }
    }

    private void append(List<AuditLine> lines, Instant now) {
        if (!settings.enabled()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.json(now)).append('\n'));
        try {
            file.append(text.toString().getBytes(StandardCharsets.US_ASCII));
            if (failing) {
                log.warn("{} is written again; {} lines were lost since the start", settings.file(), lost);
            }
            failing = false;
        } catch (IOException e) {
            lost += lines.size();
            if (!failing) {
                log.error(
                        "The audit log {} cannot be written, and the CE continues without: {}. Make room, or let the"
                                + " CE's account write it; what is done meanwhile is in the database alone.",
                        settings.file(),
                        Messages.of(e));
            }
            failing = true;
        }
    }
}
