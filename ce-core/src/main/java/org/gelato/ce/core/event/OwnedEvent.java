package org.gelato.ce.core.event;

/**
 * An event with the user whose job it is.
 *
 * @param dn distinguished name, or issuer and subject with a comma between
 * @param vo null where the job's owner has none
 */
public record OwnedEvent(JobEvent event, String dn, String vo) {}
