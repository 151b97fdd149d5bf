package org.gelato.ce.lrms.slurm;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.account.UnusedAccounts;

/** A slurmrestd of one version whose responses come from a script, beside commands that accept every job as number 17. */
final class ScriptedDaemon extends UnusedAccounts {
    final List<HttpCall> sent = new CopyOnWriteArrayList<>();
    final ScriptedAccounts commands = ScriptedAccounts.answering(0, "17\n", "");
    /** The response to a ping by GET. */
    volatile Supplier<CompletableFuture<HttpResponse>> ping = () -> answer(200, "{\"pings\":[]}");

    private final Function<HttpCall, CompletableFuture<HttpResponse>> script;
    volatile int version;

    /** @param script answers what is no question for the version */
    ScriptedDaemon(int version, Function<HttpCall, CompletableFuture<HttpResponse>> script) {
        this.version = version;
        this.script = script;
    }

    static CompletableFuture<HttpResponse> answer(int status, String body) {
        return CompletableFuture.completedFuture(new HttpResponse(status, body.getBytes(StandardCharsets.UTF_8)));
    }

    static CompletableFuture<HttpResponse> recorded(String name) {
        return CompletableFuture.completedFuture(RecordedExchange.of(name).response());
    }

    @Override
    public CompletableFuture<HttpResponse> http(String account, HttpCall call) {
        sent.add(call);
        boolean known = call.target().startsWith("/slurm/v0.0." + version + "/");
        if (!known) {
            return answer(404, "Unable find requested URL.");
        }
        if (!isPing(call)) {
            return script.apply(call);
        }
        // As Slurm from 23.11 on: a method that a path has not is no path.
        return call.method().equals("GET") ? ping.get() : answer(404, "Unable find requested URL.");
    }

    private static boolean isPing(HttpCall call) {
        return call.target().endsWith("/ping");
    }

    /** Listings show no job. */
    @Override
    public CompletableFuture<Completed> stream(String account, Run run, Executor work, Consumer<byte[]> pieces) {
        return ScriptedAccounts.done(0, "", "");
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        return commands.run(account, run);
    }

    /** Those that are no question for the version, method and target. */
    List<String> requests() {
        return sent.stream()
                .filter(call -> !isPing(call))
                .map(call -> call.method() + " " + call.target())
                .toList();
    }
}
