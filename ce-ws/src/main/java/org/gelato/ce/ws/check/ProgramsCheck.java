package org.gelato.ce.ws.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.torque.TorqueConfig;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.LrmsConfig;
import org.gelato.ce.ws.gridftp.GridFtp;
import org.gelato.ce.ws.gridftp.GridFtpConfig;

/** The programs and files of the batch system, of the helper and of the GridFTP server. */
final class ProgramsCheck {
    /** Those no job can do without; sacct is missing where there is no accounting. */
    private static final List<String> SLURM = List.of("sbatch", "scancel", "squeue", "scontrol");

    private static final List<String> TORQUE = List.of("qsub", "qdel", "qhold", "qrls", "qstat");
    private static final String INSTALL = "correct the path, or install the batch system's commands";

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
        LrmsConfig lrms = config.lrms();
        switch (lrms.kind()) {
            case SLURM -> slurm(lrms.slurm());
            case TORQUE -> torque(lrms.torque());
            case BLAHP -> blahp(lrms);
            case FORK -> {}
        }
    }

    private void slurm(SlurmConfig slurm) {
        SLURM.forEach(name ->
                program("gelato.lrms.slurm.bin-directory", slurm.binDirectory().resolve(name), INSTALL));
        if (slurm.confFile() != null) {
            findings.file("gelato.lrms.slurm.conf", slurm.confFile());
        }
        if (slurm.api() == SlurmConfig.Api.REST) {
            program("gelato.lrms.slurm.slurmrestd", slurm.restDaemon(), "install it (Debian: package slurmrestd)");
        }
        if (slurm.accounting() == SlurmConfig.Accounting.YES) {
            program("gelato.lrms.slurm.accounting", slurm.binDirectory().resolve("sacct"), INSTALL);
        }
        if (slurm.submitAttributes() != null) {
            findings.file("gelato.lrms.slurm.submit-attributes", slurm.submitAttributes());
        }
        if (slurm.jobCompletionLog() != null) {
            findings.file("gelato.lrms.slurm.job-completion-log", slurm.jobCompletionLog());
        }
    }

    private void torque(TorqueConfig torque) {
        TORQUE.forEach(name -> program(
                "gelato.lrms.torque.bin-directory", torque.binDirectory().resolve(name), INSTALL));
        if (torque.accountingDirectory() != null) {
            findings.directory("gelato.lrms.torque.accounting-directory", torque.accountingDirectory());
        }
        if (torque.submitAttributes() != null) {
            findings.file("gelato.lrms.torque.submit-attributes", torque.submitAttributes());
        }
    }

    private void blahp(LrmsConfig lrms) {
        program("gelato.lrms.blahp.command", Path.of(lrms.blahp().command().get(0)), INSTALL);
        Path logs = lrms.blahp().accountingLog().toAbsolutePath().getParent();
        findings.directory("gelato.lrms.blahp.accounting-log", logs);
    }

    private void helper() {
        List<String> command = config.helper().command();
        if (!command.isEmpty() && command.get(0).startsWith("/")) {
            program("gelato.helper.command", Path.of(command.get(0)), "install the helper (docs/helper.md)");
        }
    }

    private void gridFtp(GridFtpConfig gridFtp) {
        program(
                "gelato.gridftp.command",
                gridFtp.command(),
                "install it (Debian: package globus-gridftp-server-progs)");
        if (gridFtp.config() == null) {
            GridFtp.problem(gridFtp)
                    .ifPresent(p -> findings.error("gelato.gridftp.enabled", p, "change that value (docs/gridftp.md)"));
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
