package org.gelato.ce.core.db.embedded;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.StandardSocketFactory;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Connects the driver to a server by a Unix socket (docs/developer/decisions/0103). Nobody but the account of the socket's directory
 * can be at its other end: the directory is closed to all others, it belongs to the account of this process (as root: to any), and the
 * kernel names that account as the one the server runs as. Nothing is sent before. Public for the driver, which makes one for each
 * connection by its name.
 */
public final class UnixSocketFactory extends StandardSocketFactory {
    /** Of a connection: where the socket is. */
    private static final String PATH = "gelatoSocket";
    /** In bytes, of the JDK, which leaves two of {@code sun_path}. */
    private static final int LONGEST_PATH = 106;

    private static final Path SELF = Path.of("/proc/self");
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Who is, or may be, at the other end is not the embedded server. */
    public static final class Stranger extends SocketException {
        private static final long serialVersionUID = 1L;

        Stranger(String message) {
            super(message);
        }
    }

    /** The URL of a schema on the server whose socket this is; for any process with this class. */
    public static String url(Path socket, String schema) {
        return "jdbc:mysql://localhost/" + schema + "?sslMode=DISABLED&socketFactory="
                + UnixSocketFactory.class.getName() + "&" + PATH + "="
                + URLEncoder.encode(socket.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
    }) // the driver wants a socket, as its own factory returns one
    public <T extends Closeable> T connect(String host, int port, PropertySet properties, int loginTimeout)
            throws IOException {
        loginTimeoutCountdown = loginTimeout;
        rawSocket = open(Path.of(properties.getStringProperty(PATH).getValue()));
        sslSocket = rawSocket;
        resetLoginTimeCountdown();
        return (T) rawSocket;
    }

    /**
     * Connects to a socket, once the other end is known to be of the directory's account.
     *
     * @param path of the socket, of any length
     * @throws IOException when nobody listens there, or a stranger may
     */
    public static Socket open(Path path) throws IOException {
        return open(path, SELF);
    }

    /** @param self a file of the account of this process */
    static Socket open(Path path, Path self) throws IOException {
        Path directory = path.getParent().toRealPath();
        UserPrincipal owner = requirePrivate(directory, self);
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            connect(channel, directory.resolve(path.getFileName()));
            UserPrincipal server =
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            if (!server.equals(owner)) {
                throw new Stranger("the server at " + path + " runs as account " + server.getName() + ", and not as "
                        + owner.getName() + ", to whom the directory belongs: it is not used");
            }
            return new UnixSocket(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static UserPrincipal requirePrivate(Path directory, Path self) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class);
        if (!OWNER_ONLY.containsAll(attributes.permissions())) {
            throw new Stranger(directory
                    + ", in which the socket of the embedded database is, is open to other accounts: chmod 700 "
                    + directory);
        }
        boolean root = Integer.valueOf(0).equals(Files.getAttribute(self, "unix:uid"));
        if (!root && !attributes.owner().equals(Files.getOwner(self))) {
            throw new Stranger(directory + ", in which the socket of the embedded database is, belongs to account "
                    + attributes.owner().getName() + ", and not to that of the CE: it is not used");
        }
        return attributes.owner();
    }

    /** A longer path is replaced by one through a directory of our own; the server itself uses a relative one. */
    private static void connect(SocketChannel channel, Path socket) throws IOException {
        if (length(socket) <= LONGEST_PATH) {
            connectTo(channel, socket);
            return;
        }
        Path shorter = Files.createTempDirectory("gelato-db");
        Path link = shorter.resolve("d");
        try {
            Files.createSymbolicLink(link, socket.getParent());
            Path through = link.resolve(socket.getFileName());
            if (length(through) > LONGEST_PATH) {
                throw new SocketException("the path of a Unix socket has " + LONGEST_PATH + " bytes at most, and "
                        + socket + " and " + through + " are longer: choose a shorter gelato.home or java.io.tmpdir");
            }
            connectTo(channel, through);
        } finally {
            Files.deleteIfExists(link);
            Files.delete(shorter);
        }
    }

    private static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static void connectTo(SocketChannel channel, Path socket) throws IOException {
        if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
            throw new SocketException("the embedded database takes no more connections at present");
        }
    }
}
