//! Options of launchers and how many words follow each: mpirun(1) of Open MPI 4 and 5, `mpiexec --help` of MPICH's
//! Hydra, of Intel MPI and of HPE's PALS, srun(1), flux-run(1), jsrun(1), aprun(1). An option that is missing here is refused with a
//! hint, one with a wrong number of words would start the wrong program: when in doubt, leave it out.

/// The syntax of a launcher's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `-np 4`, `--np 4`: one dash or two, whole words.
    Words,
    /// `-n4`, `-ln 4`, `--ntasks=4`: getopt_long(3).
    Getopt,
}

/// Launchers with the same command line.
#[derive(Debug)]
pub(super) struct Family {
    names: &'static [&'static str],
    style: Style,
    /// Option names without dashes, with the number of words that follow each.
    words: &'static [(usize, &'static str)],
    letters_with_word: &'static str,
    /// Getopt letters that take no word.
    letters: &'static str,
    /// Getopt letters with an optional word, which follows without a space.
    letters_with_rest: &'static str,
    /// True if `:` separates programs.
    pub(super) colons: bool,
    /// True if it also has the options of MPI's mpiexec.
    of_mpi: bool,
    /// Subcommands, one of which must come first.
    pub(super) subcommands: &'static [&'static str],
}

/// Returns the family of a launcher's base name.
pub(super) fn family_of(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.names.contains(&name))
}

impl Family {
    /// Returns the number of words that follow an option, `next` among them; `None` for an unknown option.
    pub(super) fn arity(&self, option: &str, next: Option<&str>) -> Option<usize> {
        let arity = self.arity_in_table(option)?;
        // PALS has one word, NAME=VALUE, where Hydra has two.
        let is_assignment = self.of_mpi
            && arity == 2
            && matches!(option.trim_start_matches('-'), "env" | "genv")
            && next.is_some_and(|next| next.contains('='));
        Some(if is_assignment { 1 } else { arity })
    }

    fn arity_in_table(&self, option: &str) -> Option<usize> {
        let long = option.starts_with("--");
        let bare = option.trim_start_matches('-');
        let (name, value) = bare.split_once('=').map_or((bare, None), |(name, value)| (name, Some(value)));
        if self.style == Style::Words || long {
            let row = self.words.iter().find(|(_, names)| names.split(' ').any(|known| known == name));
            if let Some((arity, _)) = row {
                return Some(if value.is_some() { 0 } else { *arity });
            }
            if long || self.style == Style::Words {
                return None;
            }
        }
        let mut letters = bare.chars();
        while let Some(letter) = letters.next() {
            if self.letters_with_word.contains(letter) {
                return Some(usize::from(letters.as_str().is_empty()));
            }
            if self.letters_with_rest.contains(letter) {
                return Some(0);
            }
            if !self.letters.contains(letter) {
                return None;
            }
        }
        Some(0)
    }

    /// Returns why an option cannot be used with the joiner.
    pub(super) fn refusal(&self, option: &str) -> Option<&'static str> {
        match option.trim_start_matches('-').split('=').next()? {
            "multi-prog" => Some(
                "rankscope cannot start the programs named in its file under the debugger; write them as \"srun … a \
                    : … b\"",
            ),
            "debug" | "debugger" | "tv" if self.of_mpi => Some("it starts the launcher's own debugger; leave it out"),
            "dvm" if self.of_mpi => Some("it starts no program"),
            _ => None,
        }
    }

    /// True if the option names a file with the rest of the command line.
    pub(super) fn is_file_of_programs(&self, option: &str) -> bool {
        let bare = option.trim_start_matches('-').split('=').next();
        self.of_mpi && matches!(bare, Some("app" | "configfile"))
    }
}

/// Options of mpirun and mpiexec, of any vendor: a name that two of them have takes the same number of words in both.
const MPI: &[(usize, &str)] = &[
    (
        0,
        "V version h help v verbose q quiet d debug-devel do-not-resolve do-not-launch allow-run-as-root \
         oversubscribe nooversubscribe overcommit use-hwthread-cpus use-hwthreads-as-cpus nolocal rr xml novm bynode byslot \
         bycore bysocket byboard bynuma pernode bind-to-core bind-to-socket bind-to-none \
         display-allocation display-map display-devel-map display-devel-allocation display-topo display-diffable-map \
         tag-output timestamp-output merge-stderr-to-stdout report-bindings report-child-jobs-separately \
         report-state-on-timeout get-stack-traces continuous disable-recovery enable-recovery \
         leave-session-attached daemonize debug-daemons debug-daemons-file \
         show-progress stop-on-exec no-local \
         genvall genvnone envall envnone l label line-buffer no-vni prepend-rank info print-all-exitcodes \
         verbose-launch disable-auto-cleanup disable-hostname-propagation localonly skip-launch-node \
         nompi debug dvm tv enable-instant-on-support fwd-mpirun-port index-argv-by-rank noprefix output-proctable \
         preload-binary set-cwd-to-session-dir use-regexp enable-x disable-x pmi-port profile \
         stop-in-init stop-in-app no-ready-msg set-sid hybrid-hosts",
    ),
    (
        1,
        "n np c N npernode npersocket cpus-per-proc cpus-per-rank H host hostfile machinefile machine-file default-hostfile \
         f hosts rf rankfile bind-to map-by rank-by mapper cpu-set cpu-list slot-list x wd wdir path prefix launch-agent prepend-pattern \
         output output-filename outfile-pattern errfile-pattern xml-file stdin report-uri report-pid \
         report-events ompi-server server-wait-time timeout tune am aborted am-file ppn perhost \
         genvlist envlist launcher rmk bootstrap bootstrap-exec launcher-exec iface membind topolib ckpoint-prefix \
         ckpointlib ckpoint-interval demux usize personality preload-files max-restarts cf cartofile debugger hnp max-vm-size \
         ppr xterm nameserver localhost gpus-per-proc \
         display runtime-options pmixmca-file prtemca-file \
         nodefile add-host add-hostfile forward-signals \
         stream-buffering order-nodes app configfile arch soft \
         cpu-bind mem-bind gpu-bind depth pmi \
         gtool gtoolfile pset tmpdir spawn-timeout keepalive singleton rankmap memory-alloc-kinds",
    ),
    (2, "mca gmca pmixmca gpmixmca prtemca env genv"),
];

const FAMILIES: &[Family] = &[
    Family {
        names: &[
            "mpirun",
            "mpirun.openmpi",
            "mpirun.mpich",
            "mpiexec",
            "mpiexec.hydra",
            "mpiexec.openmpi",
            "mpiexec.mpich",
            "orterun",
            "prterun",
        ],
        style: Style::Words,
        words: MPI,
        letters_with_word: "",
        letters: "",
        letters_with_rest: "",
        colons: true,
        of_mpi: true,
        subcommands: &[],
    },
    Family {
        names: &["srun"],
        style: Style::Getopt,
        words: &[
            (
                0,
                "compress contiguous exclusive help immediate kill-on-bad-exit label multi-prog no-allocate \
                 no-kill overcommit overlap oversubscribe pty preserve-env quiet reboot share \
                 spread-job test-only unbuffered usage use-min-nodes verbose version whole \
                 disable-status debugger-test propagate nice exact get-user-env resv-ports \
                 x11 interactive bcast send-libs hold quit-on-interrupt oom-kill-step",
            ),
            (
                1,
                "account acctg-freq accel-bind bb bbf bcast-exclude begin chdir cluster-constraint clusters comment \
                 constraint container container-id core-spec cores-per-socket cpu-bind cpu-freq cpus-per-gpu cpus-per-task deadline \
                 delay-boot dependency distribution epilog error exclude export extra extra-node-info gid gpu-bind \
                 gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags hint het-group input job-name \
                 jobid licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus msg-timeout \
                 mpi network nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node \
                 ntasks-per-socket open-mode output partition power prefer priority profile prolog qos relative \
                 reservation signal slurmd-debug sockets-per-node switches task-epilog task-prolog thread-spec \
                 threads threads-per-core time time-min tmp tres-bind tres-per-task uid wait wait-all-nodes wckey",
            ),
        ],
        letters_with_word: "ABbcCdDeFGiJLmMnNopqrStTwWx",
        letters: "EhHlOQsuvVXZ",
        letters_with_rest: "IkK",
        colons: true,
        of_mpi: false,
        subcommands: &[],
    },
    Family {
        names: &["flux"],
        style: Style::Getopt,
        words: &[
            (0, "help verbose quiet exclusive label-io unbuffered unbuffer dry-run watch recursive list-plugins"),
            (
                1,
                "ntasks nodes cores cores-per-task gpus-per-task gpus-per-node cores-per-node tasks-per-node \
                 tasks-per-core cwd time-limit setopt setattr queue bank env env-remove env-file rlimit input output \
                 error job-name urgency requires dependency begin-time flags cc bcc wait-event taskmap add-file conf \
                 signal log log-stderr resources-shape resources-json",
            ),
        ],
        letters_with_word: "nNcgtoqBS",
        letters: "hvlux",
        letters_with_rest: "",
        colons: false,
        of_mpi: false,
        subcommands: &["run"],
    },
    Family {
        names: &["jsrun"],
        style: Style::Getopt,
        words: &[
            (0, "help version immediate chdir_off preserve_env debug progress_off"),
            (
                1,
                "nrs np tasks_per_rs cpu_per_rs gpu_per_rs rs_per_host rs_per_socket latency_priority launch_distribution \
                 bind bind_level memory_per_rs allocate_only appfile chdir env env_no_propagate erf_input erf_output \
                 exit_on_error launch_node_task memory_per_tasks pre_post_exec smpiargs spread spread_tasks stdio_input \
                 stdio_mode stdio_stderr stdio_stdout timestamp_output use_reservation use_resources use_spindle \
                 hostlist progress zero_jsmd_priority save_resources",
            ),
        ],
        letters_with_word: "npacgrldbmAhEFUefKMsktoTPJS",
        letters: "iVX",
        letters_with_rest: "",
        colons: true,
        of_mpi: false,
        subcommands: &[],
    },
    Family {
        names: &["aprun"],
        style: Style::Words,
        words: &[
            (
                0,
                "b B C q ss T v h help version batch-args bypass-app-transfer strict-memory-containment \
                 sync-output reconnect quiet",
            ),
            (
                1,
                "a architecture access-mode F cc cpu-binding cp cpu-binding-file-name d cpus-per-pe D debug e \
                 environment-override E j cpus-per-cu L node-list l node-list-file m memory-per-pe mpmd-env \
                 M memory-affinity n pes N pes-per-node p protection-domain-identifier P r specialized-cpus R \
                 relaunch S pes-per-numa-node sl numa-node-list sn numa-nodes-per-node t cpu-time-limit",
            ),
        ],
        letters_with_word: "",
        letters: "",
        letters_with_rest: "",
        colons: true,
        of_mpi: false,
        subcommands: &[],
    },
];
