package org.gelato.ce.description.xrsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.adl.Adl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of docs/developer/protocol/arc-rest.md, "What A-REX's conventions become". */
class ArcConventionsTest {
    /** What the page calls it; what becomes of it; the description; part of the job, a warning, or an error. */
    private static final String ROWS = """
            action                       | taken  | (action=request)                                   | file=/bin/a
            arguments                    | taken  | (arguments=-c "a b")                               | arguments='-c' 'a b'
            count                        | taken  | (count=4)                                          | cpus=4
            countpernode                 | taken  | (count=4)(countpernode=2)                          | smpGranularity=2
            cputime                      | taken  | (cputime="1 day, 2 hours")                         | cpuTime=PT26H
            delegationid                 | taken  | (delegationid=abc)                                 | delegationId=abc
            dryrun                       | taken  | (dryrun=yes)                                       | dryRun=true
            environment                  | taken  | (environment=("A" "b"))(environment=("C" "d"))     | environment={A=b, C=d}
            exclusiveexecution           | taken  | (exclusiveexecution=yes)                           | wholeNodes=true
            executable                   | taken  | (jobname=x)                                        | file=/bin/a
            executables                  | taken  | (executables=f)(inputfiles=("f" ""))               | name=f, item=null, base=null, program=true
            gmlog                        | taken  | (gmlog=log)                                        | logDirectory=log
            inputfiles                   | taken  | (inputfiles=("f" ""))(inputfiles=("g" "128.1"))    | name=f, item=null, base=null, program=false], InputFile[name=g, item=null
            jobname                      | taken  | (job_name=x)                                       | name=x
            join                         | taken  | (join=yes)(stdout=o)                               | output=o, error=o
            lifetime                     | taken  | (lifetime="2 days")                                | lifetime=PT48H
            memory                       | taken  | (memory=500)                                       | memory=524288000
            outputfiles                  | taken  | (outputfiles=("o" ""))(outputfiles=("p" ""))       | path=p
            priority                     | taken  | (priority=160)                                     | priority=100
            queue                        | taken  | (queue=long)                                       | queue=long
            rslsubstitution              | taken  | (rsl_substitution=("V" "/x"))(stdin=$(V)/y)        | input=/x/y
            runtimeenvironment           | taken  | (runtimeenvironment="APPS/X-1" "o")                | name=APPS/X-1, options=[o]
            starttime                    | taken  | (starttime="2026-12-01 10:00:00")                  | start=2026-12-01T10:00:00Z
            stderr                       | taken  | (stderr=e)                                         | error=e
            stdin                        | taken  | (stdin=/etc/hosts)                                 | input=/etc/hosts
            stdout                       | taken  | (stdout=o)                                         | output=o
            walltime                     | taken  | (walltime="60 minutes")                            | wallTime=PT1H
            (memory>=500)                | taken  | (memory>=500)                                      | memory=524288000
            (queue="")                   | taken  | (queue="")                                         | queue=null
            (stdout=/dev/null)           | taken  | (stdout=/dev/null)(join=yes)                       | output=null, error=null
            ("@output.list" "")          | taken  | (outputfiles=("@output.list" ""))                  | path=@output.list
            ("out/" "")                  | taken  | (outputfiles=("out/" ""))                          | path=out/
            ("*.root" "")                | taken  | (outputfiles=("*.root" ""))                        | path=*.root
            acl                          | warned | (acl="<gacl/>")                                    | acl: accepted, but nothing follows from it
            architecture                 | warned | (architecture=x86_64)                              | architecture: accepted
            benchmarks                   | warned | (benchmarks=("specint2000" "500" "60"))            | benchmarks: accepted
            cache                        | warned | (cache=yes)                                        | cache: accepted
            clientsoftware               | warned | (clientsoftware=x)                                 | clientsoftware: accepted
            clientxrsl                   | warned | (clientxrsl="&(a=b)")                              | clientxrsl: accepted
            cluster                      | warned | (cluster!=h)                                       | cluster: accepted
            credentialserver             | warned | (credentialserver="myproxy://h")                   | credentialserver: accepted
            disk                         | warned | (disk>=500)                                        | disk: accepted
            ftpthreads                   | warned | (ftpthreads=4)                                     | ftpthreads: accepted
            grammyjob                    | warned | (grammyjob=x)                                      | grammyjob: accepted
            gridtime                     | warned | (gridtime=60)                                      | gridtime: accepted
            hostcount                    | warned | (hostcount=2)                                      | hostcount: accepted
            hostname                     | warned | (hostname=h)                                       | hostname: accepted
            jobid                        | warned | (jobid=5)                                          | jobid: accepted
            jobreport                    | warned | (jobreport="https://h/")                           | jobreport: accepted
            label                        | warned | (label=x)                                          | label: accepted
            lrmstype                     | warned | (lrmstype=pbs)                                     | lrmstype: accepted
            maxcputime                   | warned | (maxCpuTime=5)                                     | maxCpuTime: accepted
            maxmemory                    | warned | (maxMemory=5)                                      | maxMemory: accepted
            maxtime                      | warned | (maxTime=5)                                        | maxTime: accepted
            maxwalltime                  | warned | (maxWallTime=5)                                    | maxWallTime: accepted
            middleware                   | warned | (middleware>="nordugrid-arc-6")                    | middleware: accepted
            minmemory                    | warned | (minMemory=5)                                      | minMemory: accepted
            nodeaccess                   | warned | (nodeaccess=inbound)                               | nodeaccess: accepted
            notify                       | warned | (notify="be a@b.example")                          | notify: accepted
            opsys                        | warned | (opsys>="linux-6")(opsys=x)                        | opsys: accepted
            project                      | warned | (project=p)                                        | project: accepted
            replicacollection            | warned | (replicacollection="ldap://h")                     | replicacollection: accepted
            resourcemanagercontact       | warned | (resourceManagerContact=x)                         | resourceManagerContact: accepted
            savestate                    | warned | (savestate=yes)                                    | savestate: accepted
            sstdin                       | warned | (sstdin=x)                                         | sstdin: accepted
            subjobcommstype              | warned | (subjobCommsType=x)                                | subjobCommsType: accepted
            subjobstarttype              | warned | (subjobStartType=x)                                | subjobStartType: accepted
            rerun                        | warned | (rerun=2)                                          | rerun: a job that failed is not run again here
            (walltime=60)                | warned | (walltime=60)                                      | walltime: 60 counts seconds, as at A-REX, and minutes in
            (cputime=60)                 | warned | (cputime=60)                                       | cputime: 60 counts seconds, as at A-REX, and minutes in
            (lifetime=2)                 | warned | (lifetime="2")                                     | lifetime: 2 counts seconds, as at A-REX, and days in
            ("x" "https://h/x" "cache=check") | warned | (inputfiles=("x" "https://h/x" "cache=check")) | inputfiles: the option cache=check of a URL is left out
            ("x" "https://h;cache=no/x") | warned | (inputfiles=("x" "https://h;cache=no/x"))          | inputfiles: the option cache=no of a URL is left out
            ("o" "dir/o")                | warned | (outputfiles=("o" "dir/o"))                        | outputfiles: the target dir/o is no URL: the file is kept
            ("/" "")                     | warned | (outputfiles=("/" ""))                             | outputfiles: of / the files directly in the session directory
            Application/AccessControl    | warned | <Application>EXE<AccessControl>&lt;gacl/></AccessControl></Application> | Application/AccessControl: accepted
            ActivityIdentification/Type  | warned | <ActivityIdentification><Type>collectionelement</Type></ActivityIdentification><Application>EXE</Application> | ActivityIdentification/Type: accepted
            DataStaging/InputFile/Source/Option | warned | <Application>EXE</Application><DataStaging><InputFile><Name>f</Name><Source><URI>https://h/f</URI><Option><Name>cache</Name></Option></Source></InputFile></DataStaging> | DataStaging/InputFile/Source/Option: accepted
            directory                    | refused | (directory=/tmp)                                  | directory: unknown attribute
            jobtype                      | refused | (jobType=mpi)                                     | jobType: unknown attribute
            wallltime                    | refused | (wallltime=60)                                    | wallltime: unknown attribute
            (action=cancel)              | refused | (action=cancel)                                   | action: only request is accepted
            (memory!=500)                | refused | (memory!=500)                                     | memory: only '=', '>=' and '<=' are accepted
            (count=1)(count=2)           | refused | (count=1)(count=2)                                | count: given twice
            (|(queue=a)(queue=b))        | refused | (|(queue=a)(queue=b))                             | alternatives with '|' are for brokers
            (join=yes)                   | refused | (join=yes)                                        | join: standard output has no file
            ("out/" "https://h/d/")      | refused | (outputfiles=("out/" "https://h/d/"))             | outputfiles: a directory has no target
            ("x" "lfc://h/x")            | refused | (inputfiles=("x" "lfc://h/x"))                    | allowed scheme
            Resources/Coprocessor        | refused | <Application>EXE</Application><Resources><Coprocessor>CUDA</Coprocessor></Resources> | Resources/Coprocessor: not supported here
            Resources/Other              | refused | <Application>EXE</Application><Resources><Other/></Resources> | Resources/Other: unknown element
            """;

    @ParameterizedTest
    @CsvSource(delimiterString = " | ", quoteCharacter = '`', textBlock = ROWS)
    void aConventionBecomes(String name, String verdict, String description, String shown) throws Exception {
        DescriptionLanguage language = description.startsWith("<") ? Adl.LANGUAGE : Xrsl.LANGUAGE;
        String text = language == Xrsl.LANGUAGE
                ? "&(executable=/bin/a)" + description
                : "<ActivityDescription>"
                        + description.replace("EXE", "<Executable><Path>/bin/a</Path></Executable>")
                        + "</ActivityDescription>";
        if (verdict.equals("refused")) {
            assertThatThrownBy(() -> language.read(text, ReadingBudget.UNBOUNDED))
                    .isInstanceOf(DescriptionException.class)
                    .hasMessageContaining(shown);
            return;
        }
        JobRequest job = language.read(text, ReadingBudget.UNBOUNDED);
        if (verdict.equals("taken")) {
            assertThat(job.toString()).contains(shown);
        } else {
            assertThat(job.warnings()).anyMatch(warning -> warning.startsWith(shown));
        }
    }

    @Test
    void thePageListsThem() throws IOException {
        List<String> rows = new ArrayList<>();
        ROWS.lines().map(row -> row.split(" \\| ")).forEach(row -> rows.add(row[0].trim() + " " + row[1].trim()));
        assertThat(page()).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(rows.stream().map(row -> row.substring(0, row.lastIndexOf(' '))))
                .containsAll(Xrsl.READ)
                .containsAll(Xrsl.IGNORED);
    }

    /** What stands as code behind each verdict. */
    private static List<String> page() throws IOException {
        List<String> names = new ArrayList<>();
        String verdict = "";
        for (String line : Files.readAllLines(Path.of("..", "docs", "developer", "protocol", "arc-rest.md"))) {
            Matcher begin =
                    Pattern.compile("- \\*(taken|warned|refused)(?: of)?\\*:.*").matcher(line);
            if (begin.matches()) {
                verdict = begin.group(1);
            } else if (!line.startsWith("  ")) {
                verdict = "";
            }
            Matcher code = Pattern.compile("`([^`]+)`").matcher(verdict.isEmpty() ? "" : line);
            while (code.find()) {
                names.add(code.group(1) + " " + verdict);
            }
        }
        return names;
    }
}
