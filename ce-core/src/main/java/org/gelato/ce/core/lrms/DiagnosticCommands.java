package org.gelato.ce.core.lrms;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What an administrator types to look at a batch system, on its host. Nothing of it is run by the CE.
 *
 * @param title the batch system's name as people write it
 * @param service whether it runs
 * @param queues its queues
 * @param job one of its jobs, with {@code %s} for the id
 */
public record DiagnosticCommands(String title, List<String> service, List<String> queues, List<String> job) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._\\[\\]-]{1,64}");

    public DiagnosticCommands {
        service = List.copyOf(service);
        queues = List.copyOf(queues);
        job = List.copyOf(job);
    }

    /** Of a batch system whose commands are not known. */
    public static DiagnosticCommands none(String title) {
        return new DiagnosticCommands(title, List.of(), List.of(), List.of());
    }

    /** The commands for a job; none for an id that a shell could take for more than a word. */
    public List<String> ofJob(String lrmsId) {
        return lrmsId != null && PLAIN.matcher(lrmsId).matches()
                ? job.stream().map(command -> command.replace("%s", lrmsId)).toList()
                : List.of();
    }
}
