package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names and labels: how they get into a description, and how jobs are found by them. */
class LabelsTest {
    private static final String QUEUE = "ce:9443/cream-fork-demo";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void jobs() {
        ce.workingDirectory = temp;
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        for (int i = 1; i <= 3; i++) {
            ce.script.put("CREAM00000000" + i, new ArrayList<>(List.of("IDLE")));
        }
        ce.names.put("CREAM000000003", "fit");
        ce.names.put("CREAM000000001", "fit");
        ce.names.put("CREAM000000002", "run=42");
    }

    private String sent(String name, String text, String... options) throws IOException {
        Files.writeString(temp.resolve(name), text);
        List<String> args = new ArrayList<>(List.of("submit", "-r", QUEUE));
        args.addAll(List.of(options));
        args.add(name);
        ce.jdls.clear();
        ce.err.reset();
        int code = ce.run(args.toArray(String[]::new));
        return code == 0 ? ce.jdls.get(0) : ce.err();
    }

    @Test
    void theyStandInTheDescriptionQuoted() throws IOException {
        assertThat(sent(
                        "a.jdl",
                        "[Executable = \"/bin/true\"; JobName = \"old\";]",
                        "--name",
                        "a\"; Executable = \"/bin/evil",
                        "--label",
                        "run=4\"2",
                        "--label",
                        "x="))
                .isEqualTo("[Executable = \"/bin/true\"; JobName = \"a\\\"; Executable = \\\"/bin/evil\"; Labels ="
                        + " {\"run=4\\\"2\", \"x=\"}; BatchSystem = \"fork\"; QueueName = \"demo\";                 ]");
        assertThat(sent(
                        "a.adl",
                        "<?xml version=\"1.0\"?>\n<!-- <ActivityDescription> -->\n<a:ActivityDescription xmlns:a=\"u\">\n</a:ActivityDescription>",
                        "--name",
                        "<&>",
                        "--label",
                        "a=]]>"))
                .isEqualTo(
                        "<?xml version=\"1.0\"?>\n<!-- <ActivityDescription> -->\n<a:ActivityDescription xmlns:a=\"u\">"
                                + "<a:ActivityIdentification><a:Name>&lt;&amp;&gt;</a:Name><a:Annotation>a=]]&gt;</a:Annotation>"
                                + "</a:ActivityIdentification>\n</a:ActivityDescription>");
        assertThat(sent("a.xrsl", "(* c *)\n&(executable=x)", "--name", "a\")(b=\"c"))
                .isEqualTo("(* c *)\n&(jobname=\"a\"\")(b=\"\"c\")(executable=x)");
    }

    @Test
    void whatHasNoPlaceForThemIsRefusedBeforeAnythingIsSent() throws IOException {
        assertThat(sent("a.xrsl", "&(executable=x)", "--label", "a=1")).contains("xRSL has no place for labels");
        assertThat(sent("a.xrsl", "&(executable=x)(jobName=y)", "--name", "z")).contains("no jobname of its own");
        assertThat(sent("a.adl", "<ActivityDescription><ActivityIdentification/></ActivityDescription>", "--name", "z"))
                .contains("names its job itself");
        assertThat(sent("a.adl", "<ActivityDescription/>", "--name", "z")).contains("want one ActivityDescription");
        assertThat(sent("a.jdl", "[Executable=\"x\";]", "--label", "a b=1")).contains("'a b=1' is no label");
        assertThat(sent("a.jdl", "[Executable=\"x\";]", "--name", "a\\")).contains("end with a backslash");
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void aCommandHasThemToo() {
        ce.live = null;
        ce.environment.put("CE_RESOURCE", QUEUE);
        ce.run("run", "--name", "fit", "--label", "run=42", "work");
        assertThat(ce.jdls.get(0)).contains("JobName = \"fit\"; Labels = {\"run=42\"};");
    }

    @Test
    void jobsAreListedByThem() {
        assertThat(ce.run("list", "--name", "fit")).isZero();
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\nhttps://ce:9443/CREAM000000003\n");
        ce.out.reset();
        assertThat(ce.run("status", "--label", "run=42", "--status", "IDLE")).isZero();
        assertThat(ce.out()).startsWith("https://ce:9443/CREAM000000002 IDLE").hasLineCount(1);
        assertThat(ce.selector.states()).containsExactly("IDLE");
        ce.out.reset();
        assertThat(ce.run("list", "--table", "--name", "fit")).isZero();
        assertThat(ce.out().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .startsWith("JOB STATE SINCE AGE QUEUE NAME RESULT OR REASON TO WAIT")
                .element(1)
                .asString()
                .endsWith(" - fit exit 0");
    }

    /** A CE refuses those of the named jobs that do not meet the criteria; here nobody named them. */
    @Test
    void jobsMeetAllCriteriaAndOthersAreNotMentioned() {
        ce.script.put("CREAM000000003", new ArrayList<>(List.of("RUNNING")));
        String running = "https://ce:9443/CREAM000000003";
        assertThat(ce.run("list", "--name", "fit", "--status", "RUNNING")).isZero();
        assertThat(ce.out()).isEqualTo(running + "\n");
        ce.out.reset();
        assertThat(ce.run("status", "--name", "fit", "--status", "RUNNING")).isZero();
        assertThat(ce.out()).startsWith(running + " RUNNING").hasLineCount(1);
        assertThat(ce.run("cancel", "--all", "--name", "fit", "--status", "RUNNING"))
                .isZero();
        assertThat(ce.calls).contains("cancel CREAM000000003");
        assertThat(ce.err()).isEqualTo("ce cancel: cancel requested for 1 job\n");
        ce.err.reset();
        assertThat(ce.run("list", "--name", "fit", "--status", "HELD")).isZero();
        assertThat(ce.err()).contains("no job of yours has the name fit and meets the other criteria");
    }

    /** Without a job of that name the request would be about all jobs. */
    @Test
    void aNameThatNoJobHasIsAboutNoJob() {
        assertThat(ce.run("cancel", "--all", "--name", "nobody", "--label", "a=1"))
                .isZero();
        assertThat(ce.run("purge", "--all", "--name", "nobody", "--json")).isZero();
        assertThat(ce.run("status", "--name", "nobody")).isZero();
        assertThat(ce.run("list", "--name", "nobody", "--json")).isZero();
        assertThat(ce.calls).allMatch(call -> call.startsWith("connect"));
        assertThat(ce.err())
                .startsWith("ce cancel: no job of yours has the name nobody and the label a=1 and has not ended\n")
                .hasLineCount(4);
        assertThat(ce.out()).isEqualTo("{\"refused\":[],\"agreed\":[]}\n{\"jobs\":[]}\n");
    }

    @Test
    void whatHasEndedIsNotCancelled() {
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("IDLE")));
        ce.script.put("CREAM000000003", new ArrayList<>(List.of("DONE-OK")));
        assertThat(ce.run("cancel", "--all", "--name", "fit")).isZero();
        assertThat(ce.calls).endsWith("cancel CREAM000000001");
    }

    @Test
    void commandsAreAboutTheJobsOfThatNameAlone() {
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("IDLE")));
        ce.script.put("CREAM000000003", new ArrayList<>(List.of("RUNNING")));
        assertThat(ce.run("cancel", "--all", "--name", "fit")).isZero();
        assertThat(ce.calls).endsWith("cancel CREAM000000001 CREAM000000003");
        assertThat(ce.err()).isEqualTo("ce cancel: cancel requested for 2 jobs\n");
        assertThat(ce.run("cancel", "--name", "fit")).as("without --all").isEqualTo(2);
        assertThat(ce.run("cancel", "--name", "fit", "CREAM000000001")).isEqualTo(2);
        assertThat(ce.run("purge", "--older-than", "1d", "--name", "fit")).isEqualTo(2);
        assertThat(ce.run("status", "--name", " ", "--all")).isEqualTo(2);
    }
}
