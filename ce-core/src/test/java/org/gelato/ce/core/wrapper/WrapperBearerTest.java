package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's bearer token. */
class WrapperBearerTest {
    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.token = true;
        job.proxy = Files.writeString(directory.resolve("d.jwt"), token("first", Duration.ofMinutes(10)));
    }

    private static String token(String jti, Duration life) {
        String claims =
                "{\"jti\":\"" + jti + "\",\"exp\":" + Instant.now().plus(life).getEpochSecond() + "}";
        return "e30."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2ln\n";
    }

    @Test
    void theJobFindsItByTheVariableThatToolsKnow() throws IOException {
        job.environment.put("BEARER_TOKEN", "of the site");
        Ended ended = job.run(shell(
                "cat \"$BEARER_TOKEN_FILE\"; stat -c %a \"$BEARER_TOKEN_FILE\"; echo \"${BEARER_TOKEN-none}"
                        + " ${X509_USER_PROXY-none}\"",
                ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo(Files.readString(job.proxy) + "600\nnone none\n");
    }

    @Test
    void aRenewedOneReachesTheRunningJobAndAnEndedOneEndsNoJob() throws IOException {
        Files.writeString(job.proxy, token("ended", Duration.ofMinutes(-1)));
        job.guard = new ProxyGuard(Duration.ofHours(1), Duration.ofSeconds(1));
        job.proxyEnd = Instant.now().plusSeconds(2);
        String renewed = token("renewed", Duration.ofHours(2));
        Path prepared = Files.writeString(directory.resolve("renewed"), renewed);
        Ended ended = job.run(shell(
                "mv '" + prepared + "' '" + job.proxy + "'; until cmp -s \"$BEARER_TOKEN_FILE\" '" + job.proxy
                        + "'; do sleep 0.1; done; cat \"$BEARER_TOKEN_FILE\"",
                ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo(renewed);
    }

    @Test
    void storageGetsItByAFileAndOnNoCommandLine() throws IOException {
        job.command(
                "curl",
                "[[ $* != *--version* ]] || { echo 'curl 7.88.1'; exit; }\n"
                        + "printf '%s\\n' \"$@\" >> '" + directory + "/args'\n"
                        + "for f; do [[ $f != */bearer ]] || { cat \"$f\"; stat -c %a \"$f\"; } >> '" + directory
                        + "/shown'; done");
        job.run(shell(
                "echo 1 > r; echo 2 > s",
                "OutputSandbox = { \"r\", \"s\" };"
                        + " OutputSandboxDestURI = { \"https://h/d/r\", \"https://h/d/s\" };"));
        String text = Files.readString(job.proxy).strip();
        assertThat(directory.resolve("shown"))
                .hasContent(("header = \"Authorization: Bearer " + text + "\"\n600\n").repeat(2));
        assertThat(Files.readAllLines(directory.resolve("args")))
                .contains("https://h/d/r", "https://h/d/s", "--config")
                .doesNotContain("--location-trusted", "--cert")
                .doesNotContainSequence("--max-redirs", "0")
                .noneMatch(argument -> argument.contains(text));
    }

    @Test
    void anOldCurlIsNotSentOnWithIt() throws IOException {
        job.command(
                "curl",
                "[[ $* != *--version* ]] || { echo 'curl 7.29.0'; exit; }\nprintf '%s\\n' \"$@\" >> '" + directory
                        + "/args'");
        job.run(shell("echo 1 > r", "OutputSandbox = \"r\"; OutputSandboxDestURI = \"https://h/d/r\";"));
        assertThat(Files.readAllLines(directory.resolve("args"))).containsSequence("--max-redirs", "0");
    }
}
