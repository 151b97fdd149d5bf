package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.wrapper.JobWrapper;
import org.gelato.ce.core.wrapper.WrapperSettings;
import org.gelato.ce.description.JobRequest;

/** Writes the scripts that batch systems get. For any thread; never blocks. */
@FunctionalInterface
public interface JobScripts {
    /** Each script is whole and needs nothing on its worker node: for nodes that share no files with the CE. */
    JobScripts WHOLE = (account, home, request, settings) ->
            CompletableFuture.completedFuture(JobWrapper.script(request, settings));

    /**
     * The script of a job.
     *
     * @param account local account that will run it
     * @param home its owner's directory under this account
     * @return completes when all that the script needs is in place; fails as {@link org.gelato.ce.core.account.AccountCommands}
     *     says when that cannot be written, and then no script exists
     * @throws IllegalArgumentException as {@link JobWrapper#script}
     */
    CompletableFuture<String> of(String account, Path home, JobRequest request, WrapperSettings settings);
}
