package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** A host for {@code ce server init} below a directory, with programs of a batch system that print what a test says. */
final class Site {
    static final String USER = System.getProperty("user.name");

    private final Path root;

    Site(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root.resolve("grid"));
        Files.createDirectories(root.resolve("bin"));
        Files.writeString(root.resolve("grid/grid-mapfile"), "\"/dteam/*\" nobody\n");
    }

    Path at(String name) {
        return root.resolve(name);
    }

    /** A program of the batch system, as a shell script. */
    Site program(String name, String script) throws IOException {
        Path file = Files.writeString(root.resolve("bin").resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return this;
    }

    Site slurm() throws IOException {
        return program("sinfo", "printf 'long\\nshort*\\nno/queue\\n'")
                .program(
                        "scontrol",
                        "printf 'JobCompType            = jobcomp/filetxt\\nJobCompLoc = %s\\n' " + at("comp"));
    }

    Site torque() throws IOException {
        return program("qstat", """
                case $1 in
                -Q) printf 'Queue: in\\n    queue_type = Route\\n\\nQueue: long\\n    queue_type = Execution\\n\\nQueue: batch\\n    queue_type = Execution\\n' ;;
                -B) printf 'Server: x\\n    default_queue = batch\\n    query_other_jobs = True\\n    keep_completed = 60\\n' ;;
                esac""");
    }

    /** Options that keep everything below the directory, and more of them. */
    SetupOptions options(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "--user=" + USER,
                "--directory=" + at("etc"),
                "--home=" + at("home"),
                "--log-directory=" + at("log"),
                "--sandbox=" + at("sandbox"),
                "--grid-security=" + at("grid"),
                "--sudoers-directory=" + at("sudoers.d"),
                "--environment-file=" + at("default"),
                "--helper-program=" + at("libexec/gelato-helper"),
                "--bin-directory=" + at("bin")));
        all.addAll(Arrays.asList(more));
        Holder holder = new Holder();
        CommandLine line = new CommandLine(holder).setOverwrittenOptionsAllowed(true);
        holder.options().addTo(line.getCommandSpec());
        line.parseArgs(all.toArray(String[]::new));
        return holder.options();
    }

    SetupPlan plan(String... more) {
        return SiteSetup.plan(options(more), null);
    }

    String text(String name) throws IOException {
        return Files.readString(at(name));
    }

    /** What picocli fills; its options are those of a mixin. */
    @CommandLine.Command
    static final class Holder {
        @CommandLine.Mixin
        private final SetupOptions options = new SetupOptions();

        SetupOptions options() {
            return options;
        }
    }
}
