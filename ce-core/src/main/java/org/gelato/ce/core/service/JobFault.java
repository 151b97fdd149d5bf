package org.gelato.ce.core.service;

import org.gelato.ce.core.fault.FaultCode;

/**
 * Why one job of a request was refused.
 *
 * @param cause for a delegation or lease that is unknown or has ended its id as the client gave it; for what a description or the CE
 *     lacks the reason; else null
 */
public record JobFault(FaultCode code, String cause) {}
