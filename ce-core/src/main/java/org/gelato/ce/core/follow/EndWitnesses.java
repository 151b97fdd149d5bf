package org.gelato.ce.core.follow;

import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.core.message.JournalMarks;

/**
 * Where the poller looks for the end of a job without its wrapper's word, and who hears of it.
 *
 * @param events gets the exit records that are found
 * @param sandbox finds exit records and claims
 * @param journals gets the jobs that end without their wrapper's word
 */
public record EndWitnesses(WrapperEvents events, SandboxWitness sandbox, JournalMarks journals) {}
