package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.GridmapAuthorizer;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.torque.TorqueConfig;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.LrmsConfig;
import org.gelato.ce.ws.gridftp.GridFtp;
import org.gelato.ce.ws.gridftp.GridFtpConfig;

/** Checks, without changing anything, whether what the configuration names is there. */
final class Preflight {
    /** Those no job can do without; sacct is missing where there is no accounting. */
    private static final List<String> SLURM_PROGRAMS = List.of("sbatch", "scancel", "squeue", "scontrol");

    private final CeConfig config;
    private final List<String> problems = new ArrayList<>();

    private Preflight(CeConfig config) {
        this.config = config;
    }

    /** One line per problem; empty when the CE should start. */
    static List<String> problems(CeConfig config) {
        Preflight preflight = new Preflight(config);
        preflight.files();
        preflight.authorization();
        preflight.places();
        preflight.programs();
        preflight.database();
        preflight.gridFtp();
        preflight.queues();
        return List.copyOf(preflight.problems);
    }

    private void files() {
        file("gelato.tls.host-certificate", config.tls().hostCertificate());
        file("gelato.tls.host-key", config.tls().hostKey());
        directory("gelato.tls.ca-directory", config.tls().caDirectory());
        directory("gelato.tls.voms-directory", config.tls().vomsDirectory());
        if (config.helper().config() != null) {
            file("gelato.helper.config", config.helper().config());
        }
    }

    private void authorization() {
        GridmapAuthorizer.problems(config.authorization().files()).stream()
                .map("gelato.authorization: "::concat)
                .forEach(problems::add);
        if (config.authorization().gridmapdir() != null) {
            String key = "gelato.authorization.gridmapdir";
            if (directory(key, config.authorization().gridmapdir())) {
                writable(key, config.authorization().gridmapdir());
            }
        }
    }

    private void places() {
        writable("gelato.home", config.home());
        Path key = config.delegation().keyFile();
        if (Files.exists(key)) {
            file("gelato.delegation.key-file", key);
        } else {
            writable("gelato.delegation.key-file", key);
        }
        if (config.database().isEmbedded()) {
            writable(
                    "gelato.database.embedded.cache",
                    config.database().embedded().cache());
        }
        // A helper of the site's has an account of its own, and makes the root itself.
        if (config.helper().command().isEmpty()) {
            writable("gelato.sandbox-root", config.sandboxRoot());
        }
    }

    private void programs() {
        LrmsConfig lrms = config.lrms();
        if (lrms.kind() == LrmsConfig.Kind.SLURM) {
            SLURM_PROGRAMS.forEach(name -> program(
                    "gelato.lrms.slurm.bin-directory",
                    lrms.slurm().binDirectory().resolve(name),
                    ""));
            if (lrms.slurm().confFile() != null) {
                file("gelato.lrms.slurm.conf", lrms.slurm().confFile());
            }
            slurmHistory(lrms);
        }
        if (lrms.kind() == LrmsConfig.Kind.BLAHP) {
            program("gelato.lrms.blahp.command", Path.of(lrms.blahp().command().get(0)), "");
            Path logs = lrms.blahp().accountingLog().toAbsolutePath().getParent();
            if (!Files.isDirectory(logs) || !Files.isReadable(logs)) {
                problems.add("gelato.lrms.blahp.accounting-log: " + logs + " is no directory this user can read");
            }
        }
        if (lrms.kind() == LrmsConfig.Kind.TORQUE) {
            torque(lrms.torque());
        }
        List<String> helper = config.helper().command();
        if (!helper.isEmpty() && helper.get(0).startsWith("/")) {
            program("gelato.helper.command", Path.of(helper.get(0)), "");
        }
    }

    private void slurmHistory(LrmsConfig lrms) {
        if (lrms.slurm().accounting() == SlurmConfig.Accounting.YES) {
            program("gelato.lrms.slurm.accounting", lrms.slurm().binDirectory().resolve("sacct"), "");
        }
        if (lrms.slurm().jobCompletionLog() != null) {
            file("gelato.lrms.slurm.job-completion-log", lrms.slurm().jobCompletionLog());
        }
    }

    private void torque(TorqueConfig torque) {
        for (String name : List.of("qsub", "qdel", "qhold", "qrls", "qstat")) {
            program("gelato.lrms.torque.bin-directory", torque.binDirectory().resolve(name), "");
        }
        if (torque.accountingDirectory() != null) {
            directory("gelato.lrms.torque.accounting-directory", torque.accountingDirectory());
        }
        if (torque.submitAttributes() != null) {
            file("gelato.lrms.torque.submit-attributes", torque.submitAttributes());
        }
    }

    private void program(String key, Path program, String advice) {
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            problems.add(key + ": " + program + " is no program" + advice);
        }
    }

    private void gridFtp() {
        GridFtpConfig gridFtp = config.gridFtp();
        if (!gridFtp.enabled()) {
            return;
        }
        program("gelato.gridftp.command", gridFtp.command(), " (Debian: package globus-gridftp-server-progs)");
        if (gridFtp.config() == null) {
            GridFtp.problem(gridFtp).ifPresent(p -> problems.add("gelato.gridftp: " + p));
        } else {
            file("gelato.gridftp.config", gridFtp.config());
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(
                    config.address().isEmpty()
                            ? new InetSocketAddress(gridFtp.port())
                            : new InetSocketAddress(config.address(), gridFtp.port()));
        } catch (IOException e) {
            problems.add("gelato.gridftp.port = " + gridFtp.port() + " cannot be listened on: " + e.getMessage());
        }
    }

    /** Last, and only where nothing else stands in its way: it starts programs. */
    private void queues() {
        if (problems.isEmpty()) {
            problems.addAll(QueueCheck.problems(config));
        }
    }

    private void file(String key, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            problems.add(key + " = " + file + " is not a readable file");
        }
    }

    private boolean directory(String key, Path directory) {
        boolean good = Files.isDirectory(directory) && Files.isReadable(directory);
        if (!good) {
            problems.add(key + " = " + directory + " is not a readable directory");
        }
        return good;
    }

    private void writable(String key, Path directory) {
        Path existing = directory;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
            problems.add(key + " = " + directory + " cannot be written");
        }
    }

    private void database() {
        if (config.database().isEmbedded()) {
            return;
        }
        try (Database database = new Database(config.database().external())) {
            database.ping();
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
        } catch (RuntimeException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            problems.add("gelato.database.url = " + config.database().url() + " cannot be used: " + root.getMessage());
        }
    }
}
