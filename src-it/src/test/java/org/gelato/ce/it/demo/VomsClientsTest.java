package org.gelato.ce.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library of VOMS that is written in C++, and with it every client of a grid, reads what the demo's user holds. */
class VomsClientsTest {
    private static final Path PROXY_INFO = Path.of("/usr/bin/voms-proxy-info");
    private static final Pattern LINE = Pattern.compile("(?m)^([a-zA-Z ]+?) *: (.*)$");

    @TempDir
    Path temp;

    @Test
    void vomsProxyInfoReadsTheAttributeCertificateOfTheDemosProxy() throws Exception {
        if (!Files.isExecutable(PROXY_INFO)) {
            Skipped.because("voms-clients", "there is no " + PROXY_INFO + " (Debian: voms-clients)");
        }
        DemoHome home = new DemoHome(temp);
        LocalAccount account = new LocalAccount("gelato", LocalAccount.ownUid(), true);
        home.prepare(account);
        DemoGrid grid = DemoGrid.make(home, account);

        String text = proxyInfo(grid.environment(), home.proxy());

        assertThat(text).contains("=== VO dteam extension information ===");
        Map<String, String> attributes = values(text.substring(text.indexOf("=== VO ")));
        assertThat(attributes)
                .containsEntry("subject", "/DC=test/DC=gelato/O=People/CN=Demo User")
                .containsEntry("issuer", "/DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test")
                .containsEntry("VO", "dteam")
                .containsEntry("attribute", "/dteam")
                .containsEntry("uri", "voms.gelato.test:15000");
        assertThat(secondsOf(attributes.get("timeleft"))).isPositive();
    }

    /** Its output, errors too; it must end well. */
    private String proxyInfo(Map<String, String> environment, Path proxy) throws IOException, InterruptedException {
        Path out = temp.resolve("voms-proxy-info.out");
        ProcessBuilder builder = new ProcessBuilder(PROXY_INFO.toString(), "-all", "-file", proxy.toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        int exit = builder.start().waitFor();
        String text = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(exit).as(text).isZero();
        assertThat(text).doesNotContain("Error", "WARNING");
        return text;
    }

    private static Map<String, String> values(String text) {
        return LINE.matcher(text)
                .results()
                .collect(Collectors.toMap(m -> m.group(1), m -> m.group(2), (a, b) -> a + "\n" + b, TreeMap::new));
    }

    private static int secondsOf(String hoursMinutesSeconds) {
        int seconds = 0;
        for (String part : hoursMinutesSeconds.split(":")) {
            seconds = 60 * seconds + Integer.parseInt(part);
        }
        return seconds;
    }
}
