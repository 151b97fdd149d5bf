package org.gelato.ce.core.service;

import org.gelato.ce.description.DescriptionLanguage;

/**
 * One job to be registered, as it came.
 *
 * @param clientRef the client's own name for the description, returned in the result; null when absent
 * @param language the text is written in
 * @param text never null
 * @param delegationId null or empty when absent
 * @param delegationProxy a PEM chain handled as putProxy first; null when absent
 * @param leaseId null when absent
 * @param autoStart whether the job is started right after
 */
public record JobDescription(
        String clientRef,
        DescriptionLanguage language,
        String text,
        String delegationId,
        String delegationProxy,
        String leaseId,
        boolean autoStart) {}
