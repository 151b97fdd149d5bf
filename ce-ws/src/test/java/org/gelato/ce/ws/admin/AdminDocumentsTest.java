package org.gelato.ce.ws.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.UsageEntry;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.json.Json;
import org.junit.jupiter.api.Test;

/** Field by field, as clients read them; what is absent is left out. */
class AdminDocumentsTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private static void writes(Object document, String json) throws Exception {
        assertThat(Json.MAPPER.writeValueAsString(document)).isEqualTo(json.replace('\'', '"'));
    }

    @Test
    void whatIsDrained() throws Exception {
        SiteAdministration.Load load = new SiteAdministration.Load(1, 2, 3, NOON);
        Drain drain = new Drain(Drain.Part.QUEUE, "long", "disk", "CN=A", NOON);
        writes(
                new DrainsServlet.Answer(true, load, List.of(drain)),
                "{'changed':true,'registered':1,'queued':2,'running':3,'lastEnd':'2026-01-31T12:00:00Z','drains':["
                        + "{'part':'queue','name':'long','reason':'disk','by':'CN=A','since':'2026-01-31T12:00:00Z'}]}");
        writes(
                new DrainsServlet.Answer(
                        null,
                        new SiteAdministration.Load(0, 0, 0, null),
                        List.of(new Drain(Drain.Part.ALL, null, null, "CN=A", NOON))),
                "{'registered':0,'queued':0,'running':0,'drains':[{'part':'all','by':'CN=A','since':'2026-01-31T12:00:00Z'}]}");
    }

    @Test
    void whoIsBanned() throws Exception {
        writes(
                new SiteAdministration.Banned(new Ban(Ban.Kind.VO, "cms", null, "CN=A", NOON), 5, 4, null),
                "{'kind':'vo','name':'cms','by':'CN=A','since':'2026-01-31T12:00:00Z','jobs':5,'cancelled':4}");
    }

    @Test
    void whatAJobUsed() throws Exception {
        UsageEntry whole = new UsageEntry(
                7,
                new JobId(12),
                "slurm",
                "long",
                "4711",
                "dteam001",
                true,
                "CN=A",
                "/dteam",
                NOON,
                NOON,
                new BigDecimal("1.500"),
                new BigDecimal("2.000"),
                4,
                1024L,
                "wn1",
                "DONE-OK",
                "0",
                true);
        writes(
                new UsageQueries.Page(List.of(whole), 7),
                "{'jobs':[{'id':'CREAM000000012','queue':'long','batchId':'4711','account':'dteam001','user':'CN=A','fqan':'/dteam',"
                        + "'running':'2026-01-31T12:00:00Z','ended':'2026-01-31T12:00:00Z','cpuSeconds':1.500,"
                        + "'wallSeconds':2.000,'cores':4,'memoryKib':1024,'node':'wn1','state':'DONE-OK','exitCode':'0',"
                        + "'published':true}],'next':7}");
        writes(
                new UsageEntry(
                        7,
                        new JobId(12),
                        "slurm",
                        "long",
                        null,
                        "a",
                        false,
                        "i,s",
                        "",
                        null,
                        NOON,
                        null,
                        null,
                        null,
                        null,
                        null,
                        "CANCELLED",
                        null,
                        false),
                "{'id':'CREAM000000012','queue':'long','account':'a','user':'i,s','ended':'2026-01-31T12:00:00Z',"
                        + "'state':'CANCELLED','published':false}");
    }

    @Test
    void whatIsPublished() throws Exception {
        writes(
                new AccountingServlet.Answer(
                        AccountingSettings.Publishing.SSM, null, List.of(), new UsagePublisher.Preview(0, "")),
                "{'publish':'ssm','standings':[],'preview':{'records':0,'message':''}}");
        writes(
                new AccountingServlet.Turn(null, new UsagePublisher.Result(false, 1, 2)),
                "{'elsewhere':false,'messages':1,'records':2}");
    }
}
