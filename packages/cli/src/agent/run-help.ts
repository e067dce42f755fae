/** What stands below the options of `run` and `runs`. */
export const RUN_HELP = `
Request:
  Words behind run, in quotes or not; /skill-name at the start calls a skill.
  Without any words, or for -, it comes from stdin: without words a pipe has to
  begin within 10 seconds, for - it may take its time. Beside words stdin is
  read only for --file -, so that a pipe that a machine left open never holds a
  run up.

Files:
  --file gives the beginning of a file to the model, with its size and digest.
  It has to lie in the working directory, links counted, and may have 10 MiB
  (workspace.maxFileSizeBytes). The model gets 48,000 characters of all files
  together; scripts read the whole of a file that the request names.

Output:
  The answer on stdout, everything else on stderr: on a terminal a live view of
  the plan, the skills, what is read, scripts and their output; elsewhere a line
  each. --quiet prints only the answer, --json one document at the end, --events
  every record as a line of JSON while it happens, the last one with the answer.
  NO_COLOR, CI and TERM=dumb are honoured.

Approvals:
  What needs one is asked at a terminal. Elsewhere the run stops with exit code
  3 and prints the command that continues it:
  skillwright runs resume <run> --approve <id>

Stopping:
  Ctrl-C finishes the step that is under way and stops; twice stops now, with
  all that was started. Both print the command that continues the run. SIGTERM
  and SIGHUP stop it now.

Exit codes:
  0 answered    1 failed or out of budget    2 wrong usage
  3 an approval is needed or was refused     4 the sandbox is missing
  130 stopped

Examples:
  skillwright run "what is in sales.csv?"
  skillwright run "profile sales.csv" --yes=run_script
  skillwright run "/unit-convert 5 miles in km" --yes=run_script
  skillwright run "compare a.txt and b.txt" --skill text-compare
  skillwright run "what is this about?" --file notes.md --file data.json
  git diff | skillwright run "write a commit message" --file -
  echo "profile sales.csv" | skillwright run --yes=run_script --json
  skillwright run "sum of amount by region in sales.csv" --no-skills
  skillwright run "…" --model anthropic:claude-sonnet-4-5 --budget-cost 0.50

See also: skillwright runs --help, skillwright list, skillwright chat --help`;

export const RUNS_HELP = `
A run is named by its id or how that begins. Records are in .agent/runs of the
project.

Examples:
  skillwright runs list
  skillwright runs show 20261116T1037
  skillwright runs resume 20261116T1037 --approve <id>
  skillwright runs prune --keep 20 --older-than 30d

See also: skillwright runs <command> --help`;

export const LIST_HELP = `
Examples:
  skillwright runs list
  skillwright runs list --json`;

export const SHOW_HELP = `
Shows the request, the end, what was used, each step with its time, the answer,
and what an approval that it waits for would allow.

Exit codes: 0 shown, 1 there is no such run, or its record is not as written.

Examples:
  skillwright runs show 20261116T1037
  skillwright runs show 20261116T1037 --json`;

export const VERIFY_HELP = `
Checks the chain of hashes of each record, its run.json, and the outputs beside
it.

Exit codes: 0 all as written, 1 something is not.

Examples:
  skillwright runs verify
  skillwright runs verify 20261116T1037 --remake`;

export const REPLAY_HELP = `
Without --live nothing is asked and nothing is done: the loop is driven from the
record, and every event compared. With --live a model is asked again in each
place.

Exit codes: 0 the same, 1 something differs.

Examples:
  skillwright runs replay 20261116T1037
  skillwright runs replay 20261116T1037 --live --model offline`;

export const RESUME_HELP = `
What was done is not done again; what had begun is reported to the model as
interrupted. Policy, trust and skills are those of now. Without --model, the
model is the one of the record; without a budget, what is left of the first one
counts.

Exit codes: as of skillwright run.

Examples:
  skillwright runs resume 20261116T1037
  skillwright runs resume 20261116T1037 --approve <id>
  skillwright runs resume 20261116T1037 --budget-turns 30`;

export const PRUNE_HELP = `
Without flags it does what runs.keep and runs.keepDays of your configuration
say. Runs that wait for an approval stay unless --waiting is given; what is
being written or damaged stays in any case.

Exit codes: 0 done, 2 neither flags nor configuration say what is to go.

Examples:
  skillwright runs prune --keep 20
  skillwright runs prune --older-than 30d --waiting`;
