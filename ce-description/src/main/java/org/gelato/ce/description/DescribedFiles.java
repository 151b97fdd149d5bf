package org.gelato.ce.description;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files of a job with a session directory, while its description is read. Not thread-safe. */
final class DescribedFiles {
    private static final String ALL = "/";
    /** The target of what has none. */
    private static final String KEPT = "gsiftp://localhost";

    private static final String WILDCARDS = "*?[]";
    /** A site may have programs for more than a wrapper transfers itself; which, is checked when the job is registered. */
    private static final Set<String> SOURCES = with(Set.of("gsiftp", "http", "https"));

    private static final Set<String> TARGETS = with(Set.of("gsiftp", "https"));
    private static final int MAX_URL = 4096;
    /** Input files from servers, and output files to servers; what clients upload is bounded by what a sandbox may hold. */
    private static final int MAX_TRANSFERS = 1000;

    /** Before the options, they, a port behind them, and the path. */
    private static final Pattern URL_OPTIONS =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://[^/?#;]*);([^/?#]*?)(:[0-9]+)?((?:[/?#].*)?)", Pattern.DOTALL);

    private final BiConsumer<String, String> warn;
    /** URLs by path; null for what the client uploads. */
    private final Map<String, String> inputs = new LinkedHashMap<>();

    private final Set<String> programs = new LinkedHashSet<>();
    private final Map<String, Output> outputs = new LinkedHashMap<>();
    private int fetched;
    private int sent;

    /**
     * An output file.
     *
     * @param target as given, by which two files of one name are the same
     */
    private record Output(String target, JobRequest.OutputFile file) {
        Output(String path, String target, JobRequest.Ends ends) {
            this(target, new JobRequest.OutputFile(path, path, OutputDestination.file(target), ends));
        }

        static Output kept(String path) {
            return new Output(path, KEPT, JobRequest.Ends.ALL);
        }
    }

    /** @param warn receives the attribute and what is accepted there, but not done */
    DescribedFiles(BiConsumer<String, String> warn) {
        this.warn = warn;
    }

    /** @param source a URL; null or empty, or a path on the client's side, when the client uploads the file */
    void input(String attribute, String file, String source) throws DescriptionException {
        String local = below(attribute, file);
        boolean remote = source != null && !SandboxItem.isLocal(source);
        String url = remote ? server(attribute, source, SOURCES, "gsiftp, http, https and a site's", ++fetched) : null;
        if (inputs.containsKey(local)) {
            throw new DescriptionException(attribute, "two input files have the name " + SafeText.of(local));
        }
        inputs.put(local, url);
    }

    /** An input file is made executable. */
    void program(String attribute, String file) throws DescriptionException {
        programs.add(below(attribute, file));
    }

    /**
     * @param target a URL; null or empty when the file is kept for the client
     * @param ends after which it goes there; after others it is kept for the client
     */
    void output(String attribute, String file, String target, JobRequest.Ends ends) throws DescriptionException {
        boolean remote = target != null && !target.isBlank();
        if (!remote && file.trim().equals(SessionJobBuilder.NOWHERE)) {
            return; // ARC's client names each stream's file
        }
        if (file.equals(ALL)) {
            if (remote) {
                throw new DescriptionException(attribute, "a directory has no target");
            }
            warn.accept(
                    attribute,
                    "of / the files directly in the session directory are kept, not those of its directories");
            outputs.put("*", Output.kept("*"));
            return;
        }
        if (file.startsWith(JobRequest.OutputFile.LIST)) {
            if (remote) {
                throw new DescriptionException(
                        attribute, "a list of output has no target: each of its lines may have one");
            }
            keep(JobRequest.OutputFile.LIST + below(attribute, file.substring(1)));
            return;
        }
        boolean directory = file.endsWith("/");
        boolean pattern = file.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
        if (directory && pattern) {
            throw new DescriptionException(
                    attribute,
                    SafeText.of(file) + " is a pattern for directories; name each, or use a pattern for files");
        }
        if (remote && pattern && file.indexOf('/') >= 0) {
            throw new DescriptionException(
                    attribute,
                    SafeText.of(file)
                            + " is a pattern for files of several directories, which a target would hold once by each name;"
                            + " let each directory have a pattern and a target of its own");
        }
        if (remote && (directory || (pattern && !RemoteFile.of(target).url().endsWith("/")))) {
            throw new DescriptionException(
                    attribute,
                    directory
                            ? "a directory has no target"
                            : "the target of a pattern is a directory: let it end with a slash");
        }
        String local = named(attribute, directory ? file.substring(0, file.length() - 1) : file, pattern);
        if (directory) {
            local += "/";
        }
        String url = remote ? server(attribute, target, TARGETS, "gsiftp, https and a site's", ++sent) : KEPT;
        Output before = outputs.put(local, new Output(local, url, remote ? ends : JobRequest.Ends.ALL));
        // ARC's client names a file again for each stream that goes into it.
        if (before != null && !before.target().equals(url)) {
            throw new DescriptionException(
                    attribute, "two output files have the name " + SafeText.of(local) + ", with different targets");
        }
    }

    /** Keeps a file of the session directory for the client, unless it goes elsewhere. */
    void keep(String path) {
        outputs.putIfAbsent(path, Output.kept(path));
    }

    /** Not the job's to write, though ARC's client names it among the output. */
    void removeLogDirectory(String path) {
        for (String name : List.of(path, path + "/")) {
            outputs.computeIfPresent(name, (n, output) -> output.target().equals(KEPT) ? null : output);
        }
    }

    /** Checks that a file the job reads is there; absolute paths, those from a variable on, and null pass. */
    void requireInput(String attribute, String what, String file) throws DescriptionException {
        if (file != null && !file.startsWith("/") && !file.startsWith("$") && !inputs.containsKey(file)) {
            throw new DescriptionException(
                    attribute, "the " + what + " " + SafeText.of(file) + " is not among the input files");
        }
    }

    /** All files, whose names go together. */
    JobRequest.Files build(String inputAttribute, String outputAttribute) throws DescriptionException {
        for (String program : programs) {
            requireInput(inputAttribute, "program", program);
        }
        Set<String> files = new HashSet<>(inputs.keySet());
        noFolderOfThatName(inputAttribute, files);
        files.addAll(outputs.keySet());
        noFolderOfThatName(outputAttribute, files);
        return new JobRequest.Files(
                inputs.entrySet().stream()
                        .map(file -> new JobRequest.InputFile(
                                file.getKey(), file.getValue(), null, programs.contains(file.getKey())))
                        .toList(),
                outputs.values().stream().map(Output::file).toList(),
                true);
    }

    /** What the job reads: an absolute path, one from a variable on, or a file of the session directory. */
    static String read(String attribute, String file) throws DescriptionException {
        String path = AttributeValue.nonEmpty(attribute, file);
        return path.startsWith("/") || path.startsWith("$") ? FileRule.input(attribute, path) : below(attribute, path);
    }

    /** A path below the session directory. */
    static String below(String attribute, String file) throws DescriptionException {
        String given = AttributeValue.nonEmpty(attribute, file);
        String path = given.startsWith("./") ? given.substring(2) : given;
        for (String part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw new DescriptionException(attribute, SafeText.of(file) + " leads out of the session directory");
            }
        }
        FileRule.output(attribute, path);
        String fault = FilePath.fault(path);
        if (fault != null) {
            throw new DescriptionException(attribute, SafeText.of(path) + ": " + fault);
        }
        return path;
    }

    /** A path of output, which may be a pattern for such paths. */
    private static String named(String attribute, String file, boolean pattern) throws DescriptionException {
        if (!pattern) {
            return below(attribute, file);
        }
        String path = file.trim();
        path = path.startsWith("./") ? path.substring(2) : path;
        // What holds for names holds for patterns, but for the wildcards.
        below(attribute, path.replaceAll("[*?\\[\\]]", "x"));
        return path;
    }

    private static void noFolderOfThatName(String attribute, Set<String> files) throws DescriptionException {
        for (String file : files) {
            if (file.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0)) {
                continue; // it matches what is there
            }
            for (int slash = file.indexOf('/'); slash >= 0; slash = file.indexOf('/', slash + 1)) {
                if (files.contains(file.substring(0, slash))) {
                    throw new DescriptionException(
                            attribute,
                            SafeText.of(file.substring(0, slash)) + " is a file, and the folder of "
                                    + SafeText.of(file));
                }
            }
        }
    }

    /**
     * What a worker node transfers by itself. Its URL is shown to everybody who may read the description, and the job's
     * credentials are for its server.
     *
     * @param number of files of its kind, with this one
     * @return the URL as the worker node has it: WebDAV is HTTP, and ARC's options between host and port are left out
     */
    private String server(String attribute, String given, Set<String> schemes, String shown, int number)
            throws DescriptionException {
        if (given.length() > MAX_URL) {
            throw new DescriptionException(
                    attribute, "the URL has " + given.length() + " characters, at most " + MAX_URL);
        }
        String url = given;
        Matcher options = URL_OPTIONS.matcher(url);
        if (options.matches()) {
            warn.accept(attribute, "the option " + SafeText.of(options.group(2)) + " of a URL is left out");
            url = options.group(1) + (options.group(3) == null ? "" : options.group(3)) + options.group(4);
        }
        if (url.regionMatches(true, 0, "davs://", 0, 7)) {
            url = "https" + url.substring(4);
        } else if (url.regionMatches(true, 0, "dav://", 0, 6)) {
            url = "http" + url.substring(3);
        }
        if (UriRule.check(attribute, url, schemes, shown).getRawUserInfo() != null) {
            throw new DescriptionException(
                    attribute, "a name or password in a URL is not used: delegate a proxy or a token for its server");
        }
        if (number > MAX_TRANSFERS) {
            throw new DescriptionException(
                    attribute,
                    "more than " + MAX_TRANSFERS + " files that servers give, or get: put them into archives");
        }
        return url;
    }

    private static Set<String> with(Set<String> own) {
        Set<String> all = new HashSet<>(own);
        all.addAll(TransferPrograms.SCHEMES);
        return Set.copyOf(all);
    }
}
