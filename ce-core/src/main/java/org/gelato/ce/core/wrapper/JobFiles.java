package org.gelato.ce.core.wrapper;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.RemoteFile;

/** Where a job's files come from and go to, as values of its script (docs/developer/protocol/jdl.md section 3). */
final class JobFiles {
    private static final int LARGEST_ROOM_DIGITS = 18;

    private JobFiles() {}

    /** @param parts gets what the files need */
    static void input(ScriptText script, JobRequest request, Set<ScriptPart> parts) {
        List<JobRequest.InputFile> files = request.files().input();
        script.array(
                "__gelato_input", files.stream().map(JobRequest.InputFile::name).toList());
        script.array(
                "__gelato_input_programs",
                files.stream()
                        .filter(JobRequest.InputFile::program)
                        .map(JobRequest.InputFile::name)
                        .toList());
        remote(
                script,
                "__gelato_input",
                files.stream().map(JobRequest.InputFile::source).toList(),
                parts);
    }

    /**
     * @param osb URL of the output directory on the CE
     * @param parts gets what the files need
     */
    static void output(ScriptText script, JobRequest request, String osb, Set<ScriptPart> parts) {
        List<JobRequest.OutputFile> files = request.files().output();
        List<String> paths = files.stream().map(JobRequest.OutputFile::path).toList();
        List<String> names = files.stream().map(JobRequest.OutputFile::name).toList();
        List<RemoteFile> destinations =
                files.stream().map(JobRequest.OutputFile::destination).toList();
        script.array("__gelato_output", paths);
        // Most have the names they would have without these.
        if (!names.equals(paths.stream().map(JobFiles::lastPart).toList())) {
            script.array("__gelato_output_name", names);
        }
        if (request.files().paths() && paths.stream().anyMatch(JobFiles::isMany)) {
            script.assign("__gelato_output_paths", "yes");
            parts.add(ScriptPart.DIRECTORIES);
            if (paths.stream().anyMatch(path -> path.startsWith(JobRequest.OutputFile.LIST))) {
                parts.addAll(Set.of(ScriptPart.ENCODE, ScriptPart.TRANSFER, ScriptPart.SEND, ScriptPart.LISTS));
            }
        }
        List<String> streams = Stream.of(
                        request.streams().output(), request.streams().error())
                .map(stream -> stream == null ? "" : stream)
                .toList();
        List<String> streamNames = streams.stream()
                .map(stream -> stream.isEmpty() ? "" : request.files().streamName(stream))
                .toList();
        if (!streamNames.equals(streams)) {
            script.array("__gelato_stream_name", streamNames);
        }
        // A client reads this line from the file to learn how names are put below OSB; it looks at the first file
        // alone.
        if (!files.isEmpty()) {
            RemoteFile destination = destinations.get(0);
            script.assign("__output_file_dest[0]", destination == null ? osb + "/" + names.get(0) : destination.url());
        }
        if (remote(script, "__gelato_output", destinations, parts)) {
            parts.add(ScriptPart.SEND);
            if (files.stream().anyMatch(file -> !file.sentAfter().equals(JobRequest.Ends.ALL))) {
                script.array(
                        "__gelato_output_ends",
                        files.stream().map(file -> letters(file.sentAfter())).toList());
            }
            String host = request.others().get("WMS_HOSTNAME");
            script.array(
                    "__gelato_output_limited",
                    destinations.stream()
                            .map(file -> file != null && file.isAt(host) ? "yes" : "")
                            .toList());
            script.assign("__gelato_room_limit", room(request.others().get("MaxOutputSandboxSize")));
        }
    }

    /** A letter for each end. */
    private static String letters(JobRequest.Ends ends) {
        return (ends.success() ? "s" : "") + (ends.failure() ? "f" : "") + (ends.cancel() ? "c" : "");
    }

    /** Whether an item of output is a directory, a pattern for paths, or where there are paths a list of them. */
    private static boolean isMany(String item) {
        return item.endsWith("/")
                || item.startsWith(JobRequest.OutputFile.LIST)
                || item.chars().anyMatch(c -> "*?[".indexOf(c) >= 0);
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static boolean remote(ScriptText script, String name, List<RemoteFile> files, Set<ScriptPart> parts) {
        if (files.stream().allMatch(file -> file == null)) {
            return false;
        }
        script.array(
                name + "_url",
                files.stream().map(file -> file == null ? "" : file.url()).toList());
        script.array(
                name + "_subject",
                files.stream().map(file -> file == null ? "" : file.subject()).toList());
        parts.addAll(Set.of(ScriptPart.ENCODE, ScriptPart.TRANSFER));
        return true;
    }

    /** Whole bytes; null for no limit. */
    private static String room(String bytes) {
        if (bytes == null) {
            return null;
        }
        BigDecimal limit = new BigDecimal(bytes).setScale(0, RoundingMode.DOWN);
        return limit.signum() < 0 || limit.precision() > LARGEST_ROOM_DIGITS ? null : limit.toPlainString();
    }
}
