package org.gelato.ce.ws.gridftp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.AccountUseStore;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Mappings;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.web.SandboxAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GridFTP of a CE as a whole: the map of users, the server's configuration and the server. Made before anything listens;
 * what it writes is below the CE's home and is written anew at each start.
 */
public final class GridFtp implements HealthCheck, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GridFtp.class);
    private static final long FILE_CHECK_SECONDS = 2;

    private final AccountMap map;
    private final GridFtpServer server;
    private final GridFtpAccess access;
    private final Path credential;

    /**
     * Writes the files; {@link #start} does the rest.
     *
     * @param mappings whom the site's files map at the moment of the call; called from the scheduler
     * @throws IOException when the files can't be written
     * @throws IllegalArgumentException for a path that can't be written for the server
     */
    public GridFtp(
            GridFtpConfig config,
            AccountCommands accounts,
            Supplier<Mappings> mappings,
            ScheduledExecutorService scheduler,
            Clock clock)
            throws IOException {
        Path home = Files.createDirectories(config.home());
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        credential = config.config() == null ? config.credential() : null;
        map = new AccountMap(config.gridmap(), mappings);
        if (config.config() == null) {
            write(config.file(), new ServerConfiguration(config).text(), "rw-r--r--");
        }
        InetSocketAddress address =
                new InetSocketAddress(config.address().isEmpty() ? "localhost" : config.address(), config.port());
        server = new GridFtpServer(accounts, serviceLine(config), address, scheduler, clock);
        access = new GridFtpAccess(config.host(), config.port(), this::admit);
    }

    /** The command line of the server, which the helper must allow as a service. */
    public static List<String> serviceLine(GridFtpConfig config) {
        return List.of(config.command().toString(), "-c", config.file().toString());
    }

    /** Why no configuration can be written for the server; empty when one can. */
    public static Optional<String> problem(GridFtpConfig config) {
        try {
            new ServerConfiguration(config);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static void write(Path file, String text, String mode) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString(mode));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Gives the server a host certificate with its key: it reads them at each connection. Does nothing where the site keeps the
     * server's configuration.
     *
     * @param pem certificate, intermediate CAs and key in one text, so that the server never sees one of them alone
     * @throws UncheckedIOException when it can't be written
     */
    public void credential(String pem) {
        if (credential != null) {
            try {
                write(credential, pem, "rw-------");
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + credential + ": " + e.getMessage(), e);
            }
        }
    }

    /** Maps, in the background, whom the database knows, then starts the server. */
    public void start(AccountUseStore uses, ScheduledExecutorService scheduler) {
        scheduler.execute(() -> {
            recall(uses);
            server.start();
        });
        scheduler.scheduleWithFixedDelay(this::refresh, FILE_CHECK_SECONDS, FILE_CHECK_SECONDS, TimeUnit.SECONDS);
    }

    private void recall(AccountUseStore uses) {
        try {
            map.addOlder(uses.newestFirst());
        } catch (RuntimeException e) {
            log.error("Users of earlier runs are not mapped for GridFTP until they register a job again", e);
        }
    }

    private void refresh() {
        try {
            map.refresh();
        } catch (RuntimeException e) { // or the scheduler would never call again
            log.error("Bans and changes of the gridmap are not in force for GridFTP: {}", e.getMessage());
        }
    }

    private void admit(Caller caller) {
        if (!(caller.identity() instanceof GridIdentity x509)) {
            return; // GridFTP lets in certificates alone.
        }
        try {
            map.put(x509.dn(), x509.fqans(), caller.account());
        } catch (UncheckedIOException e) {
            throw ServiceException.internal("the GridFTP server's grid-mapfile cannot be written", e);
        }
    }

    /** Who will miss it: their jobs stay registered, and their clients do not say why. */
    public static void logThatThereIsNone() {
        log.info("There is no GridFTP server (gelato.gridftp.enabled = false): glite-ce-* and other clients that know"
                + " GridFTP alone can neither bring local files of an InputSandbox nor fetch output; ce does both over"
                + " HTTPS. To serve them, install a GridFTP server and set gelato.gridftp.enabled = true");
    }

    public SandboxAccess access() {
        return access;
    }

    /** How often the server had to be started again. */
    public long restarts() {
        return server.restarts();
    }

    @Override
    public String name() {
        return "gridftp";
    }

    @Override
    public CompletableFuture<Outcome> check() {
        return server.listens().thenApply(listens -> new Outcome(listens, listens ? "listens" : "does not listen"));
    }

    /** The copy of the key goes with the server. */
    @Override
    public void close() {
        server.close();
        if (credential != null) {
            try {
                Files.deleteIfExists(credential);
            } catch (IOException e) {
                log.warn("{} cannot be removed: {}", credential, e.getMessage());
            }
        }
    }
}
