package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.ws.config.HelperCommand;
import org.gelato.ce.ws.setup.PlannedFile.State;

/** What will be written for a site, and what will be done beside. Used by one thread. */
public final class SetupPlan {
    private static final String HELPER = "gelato-helper";
    private static final String CAPABILITIES = "cap_setuid,cap_setgid,cap_chown,cap_kill+ep";

    private final SetupOptions options;
    private final Decisions decisions;
    private final String lrms;
    private final List<String> report;
    private final Path configuration;
    private final Map<Path, Rights> directories = new LinkedHashMap<>();
    private final List<PlannedFile> files = new ArrayList<>();
    private final Map<Path, Rights> owned = new LinkedHashMap<>();
    private final List<String> ownedLines = new ArrayList<>();

    /** @param lrms the batch system's name in ids of this CE */
    SetupPlan(SetupOptions options, Decisions decisions, String lrms, List<String> report, Path configuration) {
        this.options = options;
        this.decisions = decisions;
        this.lrms = lrms;
        this.report = report;
        this.configuration = configuration;
    }

    void directory(Path path, Rights rights) {
        directories.putIfAbsent(path.toAbsolutePath(), rights);
    }

    void file(PlannedFile file) {
        files.add(file);
    }

    void owned(Path path, String before, Rights rights) {
        owned.put(path, rights);
        ownedLines.add("owner of " + path + ": " + rights.user() + " (was " + before + "), so that the CE can read it");
    }

    /** The file that {@code ce server run} reads. */
    public Path configuration() {
        return configuration;
    }

    /** What became of the keys of an old CE, and what else to know; one line each. */
    public List<String> report() {
        List<String> lines = new ArrayList<>(report);
        lines.addAll(decisions.notes());
        return lines;
    }

    /** Each file with its state, owner, mode and content, and what is done beside. */
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        directories.forEach((path, rights) -> {
            if (!Files.exists(path)) {
                lines.add("directory " + path + " (" + rights + ")");
            }
        });
        if (decisions.privileged() && !Files.exists(options.helperProgram)) {
            lines.add("program " + options.helperProgram);
        }
        for (PlannedFile file : files) {
            State state = file.state();
            lines.add("--- " + file.path() + " (" + state.text() + "; " + file.rights() + ")");
            if (state != State.SAME && state != State.RIGHTS) {
                lines.addAll(file.content().lines().toList());
            }
        }
        lines.addAll(ownedLines);
        if (decisions.helper().equals("capabilities")) {
            lines.add("capabilities of " + options.helperProgram + ": " + CAPABILITIES);
        }
        return lines;
    }

    /**
     * Writes everything. Run again after it was killed, it completes what is left.
     *
     * @return what was done, one line each
     * @throws SetupException when other content is in the place of a file and may not be replaced: nothing was written then;
     *     or when a file is refused by the program that checks it
     * @throws IOException when something cannot be written
     */
    public List<String> apply() throws IOException {
        PlannedFiles planned = new PlannedFiles(files);
        List<String> conflicts = planned.conflicts();
        if (!conflicts.isEmpty() && !options.force) {
            throw new SetupException(conflicts);
        }
        List<String> done = new ArrayList<>();
        for (Map.Entry<Path, Rights> directory : directories.entrySet()) {
            Path path = directory.getKey();
            if (!Files.exists(path)) {
                make(path, directory.getValue());
                done.add("directory: " + path);
            }
        }
        if (decisions.privileged() && !Files.exists(options.helperProgram)) {
            if (!options.helperProgram.endsWith(HELPER)) {
                throw new SetupException(options.helperProgram + " is not there: name the installed helper by "
                        + "--helper-program, or a path that ends in " + HELPER);
            }
            done.add("program: " + HelperCommand.unpack(options.helperProgram.getParent()));
        }
        done.addAll(planned.write());
        for (Map.Entry<Path, Rights> secret : owned.entrySet()) {
            secret.getValue().give(secret.getKey());
        }
        done.addAll(ownedLines);
        if (decisions.helper().equals("capabilities")) {
            done.add(capabilities());
        }
        return done;
    }

    /** Made beside and renamed: a directory that is there has its rights. */
    private void make(Path path, Rights rights) throws IOException {
        // One that this plan has made just now belongs to whom the plan says.
        if (!directories.containsKey(path.getParent())) {
            RootsPlace.make(path.getParent());
        }
        Path beside = Files.createDirectories(path.resolveSibling(".gelato-init-" + path.getFileName()));
        rights.give(beside);
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
    }

    private String capabilities() throws IOException {
        new Rights("root", options.user, "rwxr-x---").give(options.helperProgram);
        BoundedCommand.Outcome outcome = BoundedCommand.run(
                List.of(SiteFinder.program("setcap").toString(), CAPABILITIES, options.helperProgram.toString()));
        if (!outcome.good()) {
            throw new SetupException("setcap " + CAPABILITIES + " " + options.helperProgram + ": " + outcome.error());
        }
        return "capabilities: " + options.helperProgram;
    }

    /** The account of the CE. */
    public String user() {
        return options.user;
    }

    /** Places in which another account could lead root elsewhere, a sentence each. */
    List<String> untrusted() {
        Stream<Path> parents = Stream.concat(
                        directories.keySet().stream().filter(d -> !Files.exists(d)),
                        files.stream().map(PlannedFile::path))
                .map(Path::getParent);
        return parents.distinct()
                .map(RootsPlace::directoryFault)
                .flatMap(Optional::stream)
                .toList();
    }

    /** What is left to do by hand, a command or a sentence each. */
    public List<String> nextSteps() {
        List<String> steps = new ArrayList<>();
        Path certificate = options.gridSecurity.resolve("hostcert.pem");
        if (!Files.exists(certificate)) {
            steps.add("put the host certificate and its key, which " + options.user + " must be able to read, into "
                    + options.gridSecurity);
        }
        if (!Files.isDirectory(options.gridSecurity.resolve("certificates"))) {
            steps.add("put the CAs into " + options.gridSecurity.resolve("certificates"));
        }
        if (Files.isDirectory(Path.of("/run/systemd/system"))) {
            steps.add("systemctl enable --now gelato-ce");
        } else {
            steps.add("ce server run --config " + configuration + " as " + options.user);
        }
        steps.add("as a user with a proxy: ce submit -r " + decisions.host() + ":" + options.port + "/cream-" + lrms
                + "-" + decisions.queues().get(0) + " --wait FILE.jdl");
        return steps;
    }
}
