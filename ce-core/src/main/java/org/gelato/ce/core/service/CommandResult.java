package org.gelato.ce.core.service;

/**
 * The result of a command for one named job.
 *
 * @param id the id as the client named it, cut to its local part; never null
 * @param fault null when the command was accepted
 */
public record CommandResult(String id, JobFault fault) {}
