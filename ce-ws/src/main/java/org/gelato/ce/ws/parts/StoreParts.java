package org.gelato.ce.ws.parts;

import java.io.IOException;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobEnds;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.service.JobInserts;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.ws.audit.AuditLog;
import org.gelato.ce.ws.audit.AuditedEnds;

/**
 * Jobs in the database, and what is derived from their numbers.
 *
 * @param machine the rules of job states
 */
record StoreParts(
        Database database,
        Secrets secrets,
        OwnerStore owners,
        JobNumbers numbers,
        JobStore jobs,
        CommandStore commands,
        Places places,
        JobStateMachine machine) {
    /**
     * What the database alone does not give away.
     *
     * @param vault keys that delegated proxies and the secrets of wrappers are kept by
     */
    record Secrets(KeyVault vault, WrapperTokens tokens) {}

    /** Where the files of jobs are. */
    record Places(SandboxStore sandboxes, SandboxLayout layout) {}

    static StoreParts open(Opening o, AuditLog audit) throws IOException {
        KeyVault vault = KeyVault.open(o.config().delegation().keyFile(), true);
        Database database = o.database();
        JobNumbers numbers = JobNumbers.of(database);
        SandboxLayout layout = new SandboxLayout(o.config().sandboxRoot());
        JobStateMachine machine = new JobStateMachine();
        o.counter(
                "ce.transitions.refused",
                "Events that the rules of job states ignored",
                machine,
                JobStateMachine::refused);
        return new StoreParts(
                database,
                new Secrets(vault, new WrapperTokens(vault.derive("wrapper-events"))),
                new OwnerStore(database, o.config().accounting().groups()),
                numbers,
                new JobStore(new JobEnds(new AuditedEnds(numbers, audit))),
                new CommandStore(numbers, o.config().jobs().turns() == JobInserts.Turns.VOS),
                new Places(new SandboxStore(database, numbers, layout), layout),
                machine);
    }
}
