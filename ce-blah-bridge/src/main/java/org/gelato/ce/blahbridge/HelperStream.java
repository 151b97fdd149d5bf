package org.gelato.ce.blahbridge;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of one command that the helper passes on in pieces: a piece is requested when the one before was consumed,
 * so that neither this process nor the helper holds more than one. A stream that is not read to its end is closed, which
 * kills its command; where that request does not arrive, the helper closes it at the command's timeout.
 */
final class HelperStream {
    private static final Logger log = LoggerFactory.getLogger(HelperStream.class);

    private final BiFunction<String, List<String>, CompletableFuture<List<String>>> helper;
    private final String account;
    private final String program;
    private final Executor work;
    private final Consumer<byte[]> pieces;
    private final CompletableFuture<Completed> end = new CompletableFuture<>();

    /**
     * @param helper verb and arguments to the fields of a successful result; fails otherwise
     * @param program for messages
     */
    HelperStream(
            BiFunction<String, List<String>, CompletableFuture<List<String>>> helper,
            String account,
            String program,
            Executor work,
            Consumer<byte[]> pieces) {
        this.helper = helper;
        this.account = account;
        this.program = program;
        this.work = work;
        this.pieces = pieces;
    }

    /** @param number the request that starts it */
    CompletableFuture<Completed> of(CompletableFuture<String> number) {
        number.whenComplete((stream, failure) -> {
            if (failure == null) {
                read(stream);
            } else {
                fail(failure);
            }
        });
        return end;
    }

    private void read(String stream) {
        helper.apply("GELATO_READ", List.of(account, stream))
                .thenAcceptAsync(fields -> take(stream, fields), work)
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        fail(failure);
                        close(stream);
                    }
                });
    }

    private void take(String stream, List<String> fields) {
        byte[] piece = GahpValues.content(fields.get(1));
        if (piece.length > 0) {
            pieces.accept(piece);
        }
        if (fields.get(0).equals("0")) {
            read(stream);
        } else if (fields.get(4).equals("1")) {
            end.completeExceptionally(new AccountCommandException(
                    Code.FAILED,
                    "the output of " + program + " was cut after " + fields.get(5)
                            + " bytes: raise max_listing in the helper's configuration"));
        } else {
            end.complete(new Completed(
                    Integer.parseInt(fields.get(2)), fields.get(3).equals("1"), "", GahpValues.text(fields.get(6))));
        }
    }

    private void fail(Throwable failure) {
        end.completeExceptionally(Causes.of(failure));
    }

    private void close(String stream) {
        helper.apply("GELATO_CLOSE", List.of(account, stream)).whenComplete((done, failure) -> {
            if (failure != null) { // then its end ended the command, or the timeout will
                log.debug("the output of {} was not closed: {}", program, failure.getMessage());
            }
        });
    }
}
