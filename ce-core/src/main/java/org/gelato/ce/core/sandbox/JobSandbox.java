package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;

/**
 * A job's sandbox as those see it who transfer its files.
 *
 * @param job whose it is
 * @param user DN of the job's owner, the same under every FQAN
 * @param subject the number of that DN
 * @param account the local account that owns the files
 * @param directory below it lie {@code ISB} and {@code OSB}
 * @param state the job's state when it was looked up
 * @param owned whether the caller is the job's owner, and not an administrator
 * @param proxyFile the file of the job's delegated proxy; null when its delegation is gone
 */
public record JobSandbox(
        JobId job,
        String person,
        int subject,
        String account,
        Path directory,
        JobState state,
        boolean owned,
        Path proxyFile) {}
