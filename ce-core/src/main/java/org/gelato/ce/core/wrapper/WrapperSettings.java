package org.gelato.ce.core.wrapper;

import java.nio.file.Path;
import java.util.Map;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.description.TransferPrograms;

/**
 * What a wrapper needs beside the job description.
 *
 * @param id the job
 * @param attempt number of the hand-over, from 1
 * @param names variables by which the job finds its own id ({@link ServiceUrls#names})
 * @param ceId the queue's name as clients know it, exported as CE_ID
 * @param sandbox the job's directory on the CE
 * @param events spool directory for events; null when they go by HTTPS
 * @param eventsUrl where to POST events; null when they go by spool
 * @param caDirectory authorities by which the CE is believed over HTTPS where the worker node's own environment names none;
 *     null for the system's
 * @param token per-job secret that authenticates events
 * @param vo of the owner, for the hook of its software; null without one
 * @param proxy where the delegation's proxy is; null when the job has none
 * @param remote how the sandbox is reached over HTTPS; null where the worker nodes share it
 * @param patience how long it waits for what may pass
 * @param programs the site's for transfers
 * @param messages how much the job may send while it runs
 * @param messagesUrl where to POST messages and output; null when they go by spool
 */
public record WrapperSettings(
        JobId id,
        int attempt,
        Map<String, String> names,
        String ceId,
        Path sandbox,
        Path events,
        String eventsUrl,
        Path caDirectory,
        String token,
        String vo,
        ProxySettings proxy,
        RemoteSandbox remote,
        WrapperPatience patience,
        TransferPrograms programs,
        MessageSettings messages,
        String messagesUrl) {}
