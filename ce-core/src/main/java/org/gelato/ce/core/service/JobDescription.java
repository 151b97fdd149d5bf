package org.gelato.ce.core.service;

/**
 * One job of a JobRegister request, as it came.
 *
 * @param clientRef the client's {@code jobDescriptionId}, echoed in the answer; null when absent
 * @param jdl the text; never null
 * @param delegationId null or empty when absent
 * @param delegationProxy a PEM chain handled as putProxy first; null when absent
 * @param leaseId null when absent
 * @param autoStart whether the job is started right after
 */
public record JobDescription(
        String clientRef, String jdl, String delegationId, String delegationProxy, String leaseId, boolean autoStart) {}
