package org.gelato.ce.cli.soap;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gelato.ce.cli.admin.ExplainService;
import org.gelato.ce.cli.admin.SiteControlService;
import org.gelato.ce.cli.admin.SiteJobsService;
import org.gelato.ce.cli.submission.InputService;
import org.gelato.ce.cli.submission.OutputService;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.MessageCalls;

/**
 * What a CE offers over HTTPS beside the SOAP protocol. What few commands use is made when it is used: it takes a library for JSON with it.
 *
 * @param live opens the events after a cursor
 * @param messages of jobs
 */
record HttpsServices(
        OutputService output,
        InputService input,
        Supplier<ExplainService> explain,
        Supplier<SiteJobsService> siteJobs,
        Supplier<SiteControlService> siteControl,
        Function<String, Optional<LiveEvents>> live,
        Supplier<MessageCalls> messages) {}
