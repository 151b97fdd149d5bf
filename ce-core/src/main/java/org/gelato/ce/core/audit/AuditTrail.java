package org.gelato.ce.core.audit;

import java.util.List;

/**
 * Where it is written down what was done and what was refused. An act is reported once it is durable, before its client has
 * the response, by the thread of the request (decision 0068). Implementations neither throw nor block for long. Any thread.
 */
public interface AuditTrail {
    /** A trail that keeps nothing. */
    AuditTrail NONE = new AuditTrail() {
        @Override
        public void done(List<AuditAct> acts) {
            // Nobody reads it.
        }

        @Override
        public void refused(AuditAct act) {
            // Nobody reads it.
        }
    };

    /** Acts of one call, written together; nothing is written for none. */
    void done(List<AuditAct> acts);

    /** Reports one act. */
    default void done(AuditAct act) {
        done(List.of(act));
    }

    /** An act that was refused; not every one is written, for clients must not fill the disk. */
    void refused(AuditAct act);
}
