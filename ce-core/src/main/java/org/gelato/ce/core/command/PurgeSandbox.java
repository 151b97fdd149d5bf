package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;

/**
 * Executes JOB_PURGE: renames the sandbox away (O(1)), then the completer deletes the rows, then the renamed tree is
 * removed in the background. A crash after the rename leaves the command to be repeated, where an absent sandbox is fine;
 * a crash before the removal leaves the tree in the trash directory, which is emptied at the next start. The directory may
 * be emptied at any time, so a tree may be gone before its rows are.
 */
public final class PurgeSandbox {
    private static final Duration RETRY = Duration.ofSeconds(30);

    private final AccountCommands accounts;
    private final SandboxLayout layout;
    private final TrashRemover trash;

    public PurgeSandbox(AccountCommands accounts, SandboxLayout layout, TrashRemover trash) {
        this.accounts = accounts;
        this.layout = layout;
        this.trash = trash;
    }

    void execute(List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes) {
        for (ClaimedCommand c : commands) {
            if (!c.job().state().isFinal() && c.job().state() != JobState.REGISTERED) {
                outcomes.accept(new CommandOutcome.Failed(c, "status not compatible with the specified command!"));
                continue;
            }
            Steps.reached(Step.PURGE_CLAIMED, c.job().id());
            accounts.renameAway(c.account(), layout.sandbox(home(c), c.jobId()), trash(c))
                    .whenComplete((done, e) -> {
                        Steps.reached(Step.SANDBOX_RENAMED, c.job().id());
                        outcomes.accept(
                                e == null ? new CommandOutcome.Purged(c) : Later.retry(c, RETRY, Messages.of(e)));
                    });
        }
    }

    /** After the rows are gone: removes what was renamed away. */
    void removeTrash(List<ClaimedCommand> commands) {
        commands.forEach(c -> Steps.reached(Step.ROWS_DELETED, c.job().id()));
        trash.empty(commands.stream()
                .map(c -> new SandboxStore.Home(c.account(), home(c)))
                .toList());
    }

    private Path home(ClaimedCommand c) {
        return layout.home(c.owner(), c.account());
    }

    private Path trash(ClaimedCommand c) {
        return layout.trash(home(c)).resolve(c.jobId() + "-" + c.id());
    }
}
