package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.setup.migration.HtcondorCe;
import org.gelato.ce.ws.setup.migration.OldConfiguration.Migrated;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the routes of an HTCondor-CE. */
class FromHtcondorCeTest {
    @TempDir
    private Path root;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(root.resolve(name), text);
    }

    private Migrated migrate(String kind, String text) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gelato.host", "ce.example.org");
        values.put("gelato.lrms.kind", kind);
        values.put("gelato.lrms.queues", List.of("long", "short"));
        return HtcondorCe.read(List.of(file("r.conf", text))).migrate(new TrialSite(root, kind, values));
    }

    private static String transform(String statements) {
        return "JOB_ROUTER_ROUTE_a @=jrt\n  " + statements.replace("~", "\n  ") + "\n@jrt\n";
    }

    private static String classAd(String statements) {
        return "JOB_ROUTER_ENTRIES @=jre\n[ name = \"a\";\n" + statements.replace("~", "\n") + " ]\n@jre\n";
    }

    @Test
    void whatIsWrittenIsWhatTheServerReads() throws IOException {
        Path first = file("01-router.conf", """
                # comment
                JOB_ROUTER_ENTRIES = \\
                  # comment \\
                  [ name = "Old Route"; /* comment [ */ TargetUniverse = 5; \\
                    Requirements = (TARGET.Owner =?= "alice"); set_AcctGroup = "group_old" ] \\
                  [ name = "Unused"; ]
                JOB_ROUTER_DEFAULTS = $(JOB_ROUTER_DEFAULTS) [ MaxIdleJobs = 100; set_Site = "one; ]two"; ]
                include : /etc/passwd
                SEC_PASSWORD = hidden
                """);
        Path second = file("02-routes.conf", """
                JOB_ROUTER_ROUTE_Atlas @=jrt
                  UNIVERSE VANILLA
                  REQUIREMENTS x509UserProxyVOName =?= "atlas" && RequestCpus > 1
                  SET AcctGroup "group_atlas"
                  SET Requirements (TARGET.HasCvmfs =?= True)
                  SET IsProduction = True
                  SET Score 1.5
                  default_maxMemory = 4001
                  default_xcount = 2
                  default_maxWallTime = 90
                  MaxIdleJobs = 50
                  EVALSET Password strcat("hidden", Owner)
                @jrt
                JOB_ROUTER_ROUTE_NAMES = Atlas
                JOB_ROUTER_ROUTE_NAMES = $(JOB_ROUTER_ROUTE_NAMES), Unused Missing
                """);

        SetupPlan plan = new Site(root)
                .plan(
                        "--lrms=condor",
                        "--queue=long",
                        "--host=h.example.org",
                        "--helper=own",
                        "--from-htcondor-ce",
                        first.toString(),
                        second.toString());
        plan.apply();

        List<Route> routes =
                CeConfig.load(root.resolve("etc/gelato.conf")).routes().routes();
        assertThat(routes).extracting(Route::name).containsExactly("Atlas", "Unused");
        assertThat(routes.get(0).match().vos()).containsExactly("atlas");
        assertThat(routes.get(0).match().minCores()).isEqualTo(2);
        assertThat(routes.get(0).values())
                .isEqualTo(Map.of(
                        "set.accounting-group",
                        "group_atlas",
                        "set.constraint",
                        "(TARGET.HasCvmfs =?= True)",
                        "set.attributes.IsProduction",
                        true,
                        "set.attributes.Score",
                        1.5,
                        "defaults.cores",
                        2,
                        "defaults.memory",
                        2001L << 20,
                        "defaults.wall-time",
                        5400L,
                        "limits.queued",
                        50));
        assertThat(routes.get(1).values()).isEqualTo(Map.of("limits.queued", 100, "set.attributes.Site", "one; ]two"));
        assertThat(plan.report())
                .contains(
                        "01-router.conf:4 route Old Route -> not written: it is not in JOB_ROUTER_ROUTE_NAMES",
                        "01-router.conf:8 include : /etc/passwd -> not followed: name that file too, by --from-htcondor-ce",
                        "01-router.conf:9 SEC_PASSWORD -> not read: it is no part of the routes",
                        "02-routes.conf:2 route Atlas, UNIVERSE -> not needed: one CE has one batch system",
                        "02-routes.conf:3 route Atlas, REQUIREMENTS -> match.vo = [atlas], match.min-cores = 2",
                        "02-routes.conf:8 route Atlas, default_maxMemory -> defaults.memory = 2001 MiB",
                        "02-routes.conf:12 route Atlas, EVALSET Password -> not taken over: it depends on the job; the site's"
                                + " script can do it (submit-attributes)",
                        "02-routes.conf:15 JOB_ROUTER_ROUTE_NAMES Missing -> not written: no file has this route")
                .anyMatch(line ->
                        line.startsWith("01-router.conf:6 route Unused -> act: here all routes that match count, so"
                                + " that set.attributes.Site also counts for jobs of Atlas"))
                .noneMatch(line -> line.contains("hidden"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "queue == \"long\"                                                      # {queue=[long]}",
                "((TARGET.Owner == \"a\") || Owner =?= \"b\")                           # {account=[a, b]}",
                "x509UserProxyVOName is \"cms\" && (batch_queue == \"long\" && true)     # {vo=[cms], queue=[long]}",
                "x509UserProxyFirstFQAN == \"/cms/Role=pilot/Capability=NULL\"          # {fqan=[/cms/Role=pilot/Capability=NULL]}",
                "regexp(\"\\/cms\\/Role\\=pilot\", x509UserProxyFirstFQAN)              # {fqan=[/cms/Role=pilot*, /*/cms/Role=pilot*]}",
                "regexp(\"^/cms/.*Role=pilot$\", TARGET.x509UserProxyFirstFQAN)         # {fqan=[/cms/*Role=pilot]}",
                "regexp(\"^.*Role=pilot\", TARGET.x509UserProxyFirstFQAN)               # {fqan=[/*Role=pilot*]}",
                "x509UserProxySubject == \"/DC=org/CN=A || B\"                          # {dn=[/DC=org/CN=A || B]}",
                "stringListMember(Owner, \"a, b\")                                      # {account=[a, b]}",
                "RequestCpus >= 4 && xcount > 7                                         # {min-cores=8}",
                "WantWholeNode =!= True                                                 # {whole-node=false}",
                "WantWholeNode && RequestGPUs > 0                                       # {whole-node=true, gpu=true}",
            })
    void requirementsOfSimpleFormsAreTheMatchOfARoute(String expression, String match) throws IOException {
        assertThat(migrate("condor", transform("REQUIREMENTS " + expression)).values())
                .asString()
                .isEqualTo("{gelato.routes=[{name=a, match=" + match + "}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "Owner != \"a\"                                     # match has nothing for 'Owner != \"a\"'",
                "Owner == \"a\" && time() > 5                       # match has nothing for 'time() > 5'",
                "Owner == \"a\" || queue == \"long\"                # match has nothing for 'Owner == \"a\" ",
                "Owner == \"a\" || x && y                           # match has nothing for 'x'",
                "Owner == \"$(WHO)\"                                # match has nothing for 'Owner == ",
                "Owner == \"a\" && Owner == \"b\"                   # account would have two conditions",
                "Owner == \"a\" ? true : false                      # match has nothing for",
                "MY.Owner == Other                                  # match has nothing for",
                "queue == \"other\"                                 # not written: match.queue: other is not in gelato.lrms.queues",
                "AuthTokenIssuer == \"https://i/\"                  # not written: match.issuer: https://i/ is not in gelato.tokens.issuers",
                "regexp(\"^usatlas\", Owner)                        # match has nothing for",
                "regexp(\"/cms/(a\", x509UserProxyFirstFQAN)        # match has nothing for",
                "regexp(\"\", x509UserProxyFirstFQAN)               # match has nothing for",
                "x509UserProxyFirstFQAN == \"/cms/*\"               # match has nothing for",
                "RequestCpus < 2                                    # match has nothing for",
                "((((((((((((((((((((((((1                          # match has nothing for",
                "Owner == \"a                                       # match has nothing for",
                "\"                                                 # match has nothing for",
            })
    void aRouteThatWouldBeForOtherJobsIsNamedAndNotWritten(String expression, String why) throws IOException {
        Migrated migrated = migrate("condor", transform("SET A 1~REQUIREMENTS " + expression));

        assertThat(migrated.values()).isEmpty();
        assertThat(migrated.report())
                .anySatisfy(line -> assertThat(line).startsWith("r.conf:").contains(why));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "condor | SET Foo \"a\"~SET foo 2                | r.conf:3 route a, SET foo -> set.attributes.foo = 2",
                "condor | SET Foo \"a\"~SET foo 2                | r.conf:2 route a, SET Foo -> not needed: a later one counts",
                "condor | SET Foo $(MY.Owner)                    | not taken over: it is no text, number, true or false",
                "condor | SET RequestMemory 5                    | not taken over: set.attributes: RequestMemory would be an attribute of the CE's own",
                "condor | SET JobUniverse 9                      | not taken over: the CE sets it for each job",
                "condor | SET AccountingGroup \"g.u\"            | not taken over: it has group and user",
                "condor | SET default_queue \"long\"             | not taken over: there is no such default",
                "condor | DEFAULT maxWallTime 10                 | defaults.wall-time = 10 minutes",
                "condor | DEFAULT RequestDisk 10                 | not taken over: defaults are of cores",
                "condor | default_maxMemory = 2000               | not taken over: it is of the whole job",
                "condor | default_xcount = 0                     | not taken over: it is no whole number above 0",
                "condor | MaxIdleJobs = 0                        | not taken over: limits.queued is not a whole number from 1",
                "condor | MaxJobs = 10                           | not taken over: gelato.admission.active-jobs is the limit",
                "condor | DELETE Environment                     | not taken over: it depends on the job",
                "condor | SET Foo 1~if defined X~SET Foo 2~endif | r.conf:4 route a, SET Foo, below if -> not taken over",
                "condor | GridResource = batch slurm             | not written: its jobs go to batch slurm, this CE has condor",
                "condor | UNIVERSE LOCAL                         | not written: its jobs go to the universe local",
                "slurm  | UNIVERSE 9~GridResource = \"batch slurm\" | r.conf:3 route a, GridResource -> not needed",
                "slurm  | SET comment \"x\"                      | not taken over: an attribute of HTCondor's, this CE has slurm",
                "slurm  | SET Requirements (a)                   | not taken over: an expression of HTCondor's",
                "slurm  | SET AcctGroup \"g\"                    | not taken over: set.accounting-group: slurm has nothing for it",
                "condor | SET Foo \"a\"~EVALSET Foo strcat(x)    | r.conf:2 route a, SET Foo -> not taken over: a later statement may change it",
                "condor | SET AcctGroup \"g\"~SET AcctGroup x   | r.conf:2 route a, SET AcctGroup -> not taken over: a later statement",
                "condor | SET Foo \"a\"~DELETE /Fo.*/           | r.conf:2 route a, SET Foo -> not taken over: a later statement",
                "condor | SET Foo \"$ENV(HOME)\"                | not taken over: it is no text, number, true or false",
                "condor | SET GridResource \"batch slurm\"      | not written: its jobs go to batch slurm",
                "condor | SET Foo 1                              | JOB_ROUTER_ROUTE_NAMES -> act: no file has it",
                "slurm  | UNIVERSE VANILLA                       | not written: its jobs go to HTCondor, this CE has slurm",
            })
    void eachStatementHasALine(String kind, String statements, String line) throws IOException {
        assertThat(migrate(kind, transform(statements)).report())
                .anySatisfy(found -> assertThat(found).contains(line));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Requirements = MY.Owner == \"x\";         | r.conf:3 route a, REQUIREMENTS -> the route is not written",
                "eval_set_Foo = strcat(\"a;]\", Owner);    | r.conf:3 route a, eval_set_Foo -> not taken over: it depends on the job",
                "# x ]~set_default_maxWallTime = 60;       | r.conf:4 route a, SET default_maxWallTime -> defaults.wall-time = 60 minutes",
                "set_A = { 1; 2 };~set_B = \"x\\\"y\"      | r.conf:4 route a, SET B -> set.attributes.B = x\"y",
                "// x ]~copy_Env = \"x\"; ] junk [         | r.conf:4 route a, copy_Env -> not taken over",
                "set_B = 1; ] junk [                       | r.conf:3 JOB_ROUTER_ENTRIES junk -> not read: it stands outside",
                "set_B = 1; ] /* [ name = \"z\"; ] */ [ name = \"c\"; set_A = 1; | r.conf:3 route c, SET A -> set.attributes.A = 1",
                "Requirements = x == 1; ] [ name = \"c\";  | r.conf:2 route a -> act: it is not written, so that later ones count for jobs that were its: c",
                "name = \"b\"; ] [ name = \"b\"; set_A = 1;  | r.conf:3 route b, SET A -> set.attributes.A = 1",
            })
    void classAdsAreReadToo(String statements, String line) throws IOException {
        assertThat(migrate("condor", classAd(statements)).report())
                .anySatisfy(found -> assertThat(found).contains(line));
    }

    @Test
    void aRouteInACommentIsNone() throws IOException {
        assertThat(migrate("condor", classAd("set_B = 1; ] /* [ name = \"z\"; ] */ // [ name = \"y\"; ]"))
                        .values()
                        .toString())
                .contains("name=a")
                .doesNotContain("name=z", "name=y");
    }

    @Test
    void largeDeepAndUnfinishedFilesAreRefused() throws IOException {
        refused("", "there are no routes in these files");
        refused("\0\0[[[@=@=@\n@=x\n= y", "there are no routes in these files");
        refused("JOB_ROUTER_ROUTE_a @=x\n", "r.conf:1: this block has no end");
        refused("JOB_ROUTER_ENTRIES = [ a = \"x ]\n", "r.conf:1: JOB_ROUTER_ENTRIES: this text has no closing quote");
        refused("JOB_ROUTER_ENTRIES = [ a = (((x ]\n", "r.conf:1: JOB_ROUTER_ENTRIES: this ClassAd has no end");
        refused("JOB_ROUTER_ENTRIES = [ /* x ]\\", "r.conf:1: JOB_ROUTER_ENTRIES: this comment has no end");
        refused("JOB_ROUTER_ENTRIES = [" + "a=1;".repeat(2000) + "]", "more than 1000 statements");
        refused(transform("A = 1~".repeat(2000)), "more than 1000 statements");
        refused("JOB_ROUTER_ENTRIES = " + "[]".repeat(2000), "there are more than 1000 routes");
        refused("JOB_ROUTER_DEFAULTS = " + "[a=1]\\\n".repeat(2000), "more than 1000 statements");
        refused("#".repeat((1 << 20) + 1), "is larger than 1 MiB");

        String deep = "(".repeat(1900);
        assertThat(migrate("condor", transform("REQUIREMENTS " + deep + "true" + ")".repeat(1900)))
                        .values())
                .isNotEmpty();
        assertThat(migrate("condor", classAd("set_A = \"" + "\\\"".repeat(100_000) + "\""))
                        .report())
                .anyMatch(line -> line.contains("SET A -> not taken over"));
        String doubling = "JOB_ROUTER_DEFAULTS = [ a = 1 ]\n"
                + "JOB_ROUTER_DEFAULTS = $(JOB_ROUTER_DEFAULTS) $(JOB_ROUTER_DEFAULTS)\n".repeat(100);
        assertThat(migrate("condor", doubling + classAd("")).report()).hasSize(1);
    }

    @Test
    void noMoreRoutesAreWrittenThanTheServerReads() throws IOException {
        StringBuilder text = new StringBuilder("JOB_ROUTER_ENTRIES @=jre\n");
        for (int i = 0; i < 202; i++) {
            text.append("[ name = \"n").append(i).append("\" ]\n");
        }
        Migrated migrated = migrate("condor", text + "@jre\n");

        assertThat((List<?>) migrated.values().get("gelato.routes")).hasSize(200);
        assertThat(migrated.report()).contains("r.conf:203 route n201 -> not written: there are more than 200");
    }

    private void refused(String text, String why) throws IOException {
        Path file = file("r.conf", text);
        assertThatThrownBy(() -> HtcondorCe.read(List.of(file)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--from-htcondor-ce: ")
                .hasMessageContaining(why);
    }
}
