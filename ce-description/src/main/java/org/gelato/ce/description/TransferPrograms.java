package org.gelato.ce.description;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The site's programs on the worker nodes for what the wrapper itself does not transfer: {@code gfal-copy}, {@code xrdcp}. Each is called
 * with a URL and the path of a file, in the order source, destination.
 *
 * @param commands words of a command separated by spaces, by scheme
 */
public record TransferPrograms(Map<String, String> commands) {
    public static final TransferPrograms NONE = new TransferPrograms(Map.of());

    /** The schemes that there can be a program for. */
    public static final Set<String> SCHEMES = Set.of("srm", "root", "roots", "xroot", "xroots", "rucio");

    /** No word needs a quote in a shell, nor is one an assignment. */
    private static final Pattern COMMAND = Pattern.compile("[A-Za-z0-9._/+-]+( [A-Za-z0-9._/+:=,@%-]+){0,20}");

    public TransferPrograms {
        commands = Map.copyOf(commands);
    }

    /**
     * Of entries {@code SCHEME=COMMAND}.
     *
     * @throws IllegalArgumentException with what is wrong with one of them
     */
    public static TransferPrograms of(List<String> entries) {
        Map<String, String> commands = new TreeMap<>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            String scheme = equals < 0 ? "" : entry.substring(0, equals).strip();
            String command = entry.substring(equals + 1).strip();
            if (!SCHEMES.contains(scheme)) {
                throw new IllegalArgumentException("SCHEME=COMMAND, where SCHEME is one of "
                        + String.join(", ", new TreeSet<>(SCHEMES)) + "; it is \"" + SafeText.of(entry) + "\"");
            }
            if (!COMMAND.matcher(command).matches()) {
                throw new IllegalArgumentException("a command of plain words, separated by single spaces, for " + scheme
                        + "; it is \"" + SafeText.of(command) + "\"");
            }
            if (commands.put(scheme, command) != null) {
                throw new IllegalArgumentException("one command for " + scheme + "; there are two");
            }
        }
        return new TransferPrograms(commands);
    }

    /**
     * Returns the job where there is a program for each of its files.
     *
     * @throws DescriptionException that names the scheme which has none
     */
    public JobRequest check(JobRequest request) throws DescriptionException {
        Stream<RemoteFile> files = Stream.concat(
                request.files().input().stream().map(JobRequest.InputFile::source),
                request.files().output().stream().map(JobRequest.OutputFile::destination));
        for (RemoteFile file : (Iterable<RemoteFile>) files.filter(Objects::nonNull)::iterator) {
            String scheme = file.url().substring(0, file.url().indexOf(':'));
            if (SCHEMES.contains(scheme) && !commands.containsKey(scheme)) {
                throw new DescriptionException(
                        "DataStaging",
                        SafeText.of(file.url()) + ": this CE has no program that transfers " + scheme + " URLs"
                                + (commands.isEmpty()
                                        ? ""
                                        : "; it has some for " + String.join(", ", new TreeSet<>(commands.keySet()))));
            }
        }
        return request;
    }
}
