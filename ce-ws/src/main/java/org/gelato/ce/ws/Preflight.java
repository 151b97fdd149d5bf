package org.gelato.ce.ws;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.GridFtpConfig;
import org.gelato.ce.ws.gridftp.GridFtp;

/** Looks, without changing anything, whether what the configuration names is there. */
final class Preflight {
    private final CeConfig config;
    private final List<String> problems = new ArrayList<>();

    private Preflight(CeConfig config) {
        this.config = config;
    }

    /** One line per problem; empty when the CE should start. */
    static List<String> problems(CeConfig config) {
        Preflight preflight = new Preflight(config);
        preflight.files();
        preflight.database();
        preflight.gridFtp();
        return List.copyOf(preflight.problems);
    }

    private void files() {
        file("gelato.tls.host-certificate", config.tls().hostCertificate());
        file("gelato.tls.host-key", config.tls().hostKey());
        directory("gelato.tls.ca-directory", config.tls().caDirectory());
        directory("gelato.tls.voms-directory", config.tls().vomsDirectory());
        file("gelato.authorization.gridmap", config.authorization().gridmap());
        writable("gelato.home", config.home());
        if (config.helper().config() != null) {
            file("gelato.helper.config", config.helper().config());
        }
    }

    private void gridFtp() {
        GridFtpConfig gridFtp = config.gridFtp();
        if (!gridFtp.enabled()) {
            return;
        }
        if (!Files.isRegularFile(gridFtp.command()) || !Files.isExecutable(gridFtp.command())) {
            problems.add("gelato.gridftp.command = " + gridFtp.command()
                    + " is no program (Debian: package globus-gridftp-server-progs)");
        }
        if (gridFtp.config() == null) {
            GridFtp.problem(config).ifPresent(p -> problems.add("gelato.gridftp: " + p));
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

    private void file(String key, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            problems.add(key + " = " + file + " is not a readable file");
        }
    }

    private void directory(String key, Path directory) {
        if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
            problems.add(key + " = " + directory + " is not a readable directory");
        }
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
            database.read(h -> h.select("SELECT 1").mapTo(Integer.class).one());
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
