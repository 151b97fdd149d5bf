package org.gelato.ce.core.lrms.type;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Executor;
import org.gelato.ce.core.account.AccountCommands;

/**
 * What a batch system is opened with.
 *
 * @param accounts the helper, the only way to start processes
 * @param work for what may block, such as reading a log
 * @param stateDirectory of its own, for what is neither in the batch system nor in the database; made by whoever needs it
 * @param meters for numbers that it alone knows
 */
public record LrmsOpening(
        AccountCommands accounts, Executor work, Path stateDirectory, MeterRegistry meters, Clock clock) {}
