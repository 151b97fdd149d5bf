package org.gelato.ce.ws.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.type.SiteFile;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.gridftp.GridFtp;
import org.gelato.ce.ws.gridftp.GridFtpConfig;

/** The programs and files of the batch system, of the helper and of the GridFTP server. */
final class ProgramsCheck {
    private final CeConfig config;
    private final Findings findings;

    private ProgramsCheck(CeConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    static void run(CeConfig config, Findings findings) {
        ProgramsCheck check = new ProgramsCheck(config, findings);
        check.batchSystem();
        check.helper();
        if (config.gridFtp().enabled()) {
            check.gridFtp(config.gridFtp());
        }
    }

    private void batchSystem() {
        for (SiteFile file : config.lrms().site().files()) {
            switch (file.kind()) {
                case PROGRAM -> program(file.key(), file.path(), file.advice());
                case FILE -> findings.file(file.key(), file.path());
                case DIRECTORY -> findings.directory(file.key(), file.path());
            }
        }
    }

    private void helper() {
        List<String> command = config.helper().command();
        if (!command.isEmpty() && command.get(0).startsWith("/")) {
            program(
                    "gelato.helper.command",
                    Path.of(command.get(0)),
                    "install the helper (" + Manual.page("docs/developer/helper.md") + ")");
        }
    }

    private void gridFtp(GridFtpConfig gridFtp) {
        program(
                "gelato.gridftp.command",
                gridFtp.command(),
                "install it (Debian: package globus-gridftp-server-progs)");
        if (gridFtp.config() == null) {
            GridFtp.problem(gridFtp)
                    .ifPresent(p -> findings.error(
                            "gelato.gridftp.enabled",
                            p,
                            "change that value (" + Manual.page("docs/admin/gridftp.md") + ")"));
        } else {
            findings.file("gelato.gridftp.config", gridFtp.config());
        }
    }

    private void program(String key, Path program, String advice) {
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            findings.error(key, program + " is no program", advice);
        }
    }
}
