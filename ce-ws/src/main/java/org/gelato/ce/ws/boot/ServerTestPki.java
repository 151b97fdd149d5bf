package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.SetupException;
import org.gelato.ce.ws.setup.TestPki;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Certificates and a proxy for a first job, on a host that has none. */
@Command(
        name = "test-pki",
        description = {
            "Make certificates and a proxy to try this CE with, on a host that has none.",
            "An authority, the host's certificate, a VO with its VOMS server, a user and a proxy of the VO. The authority's key is"
                    + " kept nowhere. Nothing is replaced. Not for a CE that others use: remove the files before."
        })
final class ServerTestPki extends ServerCommand {
    private static final int MAX_DAYS = 365;
    private static final Pattern VO = Pattern.compile("[a-z0-9][a-z0-9.-]{0,99}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,200}[A-Za-z0-9])?");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 .-]{0,63}");

    @Option(
            names = "--grid-security",
            paramLabel = "DIR",
            defaultValue = "/etc/grid-security",
            description = "Gets hostcert.pem, hostkey.pem, certificates and vomsdir. Default: ${DEFAULT-VALUE}.")
    private Path gridSecurity;

    @Option(
            names = "--user-dir",
            paramLabel = "DIR",
            defaultValue = "test-user",
            description = "Gets usercert.pem, userkey.pem and proxy.pem. Default: ${DEFAULT-VALUE}.")
    private Path userDirectory;

    @Option(names = "--host", paramLabel = "NAME", description = "Name of the CE. Default: this host's.")
    private String host;

    @Option(
            names = "--vo",
            paramLabel = "NAME",
            defaultValue = "test",
            description = "VO of the proxy. Default: ${DEFAULT-VALUE}.")
    private String vo;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "Test User",
            description = "Common name of the user. Default: ${DEFAULT-VALUE}.")
    private String user;

    @Option(
            names = "--ce-account",
            paramLabel = "NAME",
            defaultValue = "gelato",
            description = "Owner of the host's key, where there is such an account. Default: ${DEFAULT-VALUE}.")
    private String account;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "90",
            description = "How long all is valid, 1 to " + MAX_DAYS + ". Default: ${DEFAULT-VALUE}.")
    private int days;

    @Override
    public Integer call() throws IOException {
        String name = host == null ? InetAddress.getLocalHost().getCanonicalHostName() : host;
        check(HOST, "--host", name);
        check(VO, "--vo", vo);
        check(USER, "--user", user);
        if (days < 1 || days > MAX_DAYS) {
            throw usage("--days is 1 to " + MAX_DAYS);
        }
        TestPki pki = new TestPki(
                new TestPki.Options(
                        gridSecurity.toAbsolutePath(), userDirectory.toAbsolutePath(), name, vo, user, account, days),
                Clock.systemUTC().instant());
        try {
            PrintWriter out = out();
            pki.write().forEach(out::println);
            out.println("user: " + pki.subject() + ", VO " + vo);
            out.println("next:");
            out.println("  ce server init --vo " + vo + "=ACCOUNT");
            out.println("  export X509_USER_PROXY=" + pki.proxy());
            out.println(
                    "another user has no right to read that file; he submits with a copy of his own, here of alice:");
            out.println("  install -o alice -m 600 " + pki.proxy() + " /tmp/x509up_u$(id -u alice)");
            return 0;
        } catch (SetupException e) {
            e.problems().forEach(err()::println);
            return 1;
        } catch (IOException e) {
            err().println("not everything could be written: " + Messages.of(e));
            return 1;
        }
    }

    private void check(Pattern form, String option, String value) {
        if (!form.matcher(value).matches()) {
            throw usage(option + " '" + Messages.line(value) + "' is not of the form " + form.pattern());
        }
    }
}
