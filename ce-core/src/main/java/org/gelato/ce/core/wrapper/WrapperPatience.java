package org.gelato.ce.core.wrapper;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.base.Key;

/**
 * How long a wrapper waits for what may pass, and where it leaves output that could not be brought even so
 * (docs/admin/worker-nodes.md, docs/developer/decisions/0093-wrapper-waits-and-output.md). It holds its job's slot meanwhile.
 *
 * @param ce how long it retries a CE that does not respond or has no space; whole seconds count
 * @param storage how long transfers from and to other servers may fail, those of input and those of output each together;
 *     whole seconds count
 * @param kept directory on the worker node; null where nothing is to be left there
 * @param keptBytes most bytes that jobs of one local account leave there
 * @param hook how long a text of the site that runs in the wrapper may take, each; whole seconds count
 */
public record WrapperPatience(
        @Key(value = "patience", min = "1 s", max = "7 days")
        Duration ce,

        @Key(value = "transfer-patience", min = "1 s", max = "7 days")
        Duration storage,

        @Key(value = "gelato.wrapper.kept-output.directory", optional = true)
        Path kept,

        @Key(value = "gelato.wrapper.kept-output.max-size", min = "1 B", max = "1 PiB")
        long keptBytes,

        Duration hook) {}
