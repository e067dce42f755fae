/** Shown below the options of `run`. */
export const RUN_HELP = `
Request:
  Words behind run, in quotes or not; /skill-name at the start calls a skill.
  Without any words, or for -, it comes from stdin: without words a pipe has to
  begin within 10 seconds, for - it may take its time. Beside words stdin is
  read only for --file -, so that a pipe that a machine left open never holds a
  run up.

Files:
  --file gives the beginning of a file to the model, with its size and digest.
  It has to lie in the working directory, links counted and hard links refused,
  and may have 10 MiB (workspace.maxFileSizeBytes). The model gets 48,000
  characters of all files together; scripts read the whole of a file that the
  request names.

Model:
  --model-param sets temperature, topP, seed, maxOutputTokens, reasoningEffort,
  contextTokens, structured, stream or acceptsImages for this run; what a
  provider does not have is refused. model.params in the configuration sets them
  for all runs.

Output:
  The answer on stdout, everything else on stderr: on a terminal a live view of
  the plan, the skills, what is read, scripts and their output; elsewhere a line
  each. --quiet prints only the answer, --json one document at the end, --events
  every record as a line of JSON while it happens, the last one with the answer.
  What a terminal would obey is left out of an answer that goes into a pipe.
  NO_COLOR, CI and TERM=dumb are honoured.

Approvals:
  What needs one is asked at a terminal; after a no, a run that does nothing
  more ends with exit code 3, its answer kept. Elsewhere the run stops with exit
  code 3 and prints the command that continues it:
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
