import { collect } from "./option-with-values.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CompareCommandOptions } from "../evals/compare-command.ts";
import type { EvalCommandOptions } from "../evals/eval-options.ts";
import type { ImportCommandOptions } from "../evals/import-command.ts";
import type { LintEvalsOptions } from "../evals/lint-evals-command.ts";
import type { ReportCommandOptions } from "../evals/report-command.ts";
import type { SuggestCommandOptions } from "../evals/suggest-command.ts";
import type { TriggerCommandOptions } from "../evals/trigger-command.ts";
import * as help from "../evals/eval-help.ts";
import { addHelp } from "../help/add-help.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { keepOptionsApart } from "./keep-options-apart.ts";
import { addActingOptions, addModelOptions } from "./run.ts";

const PATHS = ["[paths...]", "skills, folders of skills, or files with cases"] as const;

/** `eval`: whether skills work, and whether they got worse. */
export function registerEvalCommands(program: Command, wrap: WrapAction): void {
  const evals = registerEval(program, wrap);
  registerTrigger(evals, wrap);
  registerCompare(evals, wrap);
  registerLint(evals, wrap);
  registerReport(evals, wrap);
  registerSuggest(evals, wrap);
  registerImport(evals, wrap);
  keepOptionsApart(evals);
}

function registerEval(program: Command, wrap: WrapAction): Command {
  const command = program
    .command("eval")
    // What stands behind a command below is its own.
    .enablePositionalOptions()
    .summary("test whether skills work, and whether they got worse")
    .description(help.EVAL_DESCRIPTION)
    .argument(...PATHS);
  addReportOptions(addComparing(addBudgets(addRunning(addActingOptions(command)))))
    .option("--watch", "run again what a change touches; cases that look worse are not tried again")
    .action(
      wrap(async (args, console) => {
        const { evalCommand } = await import("../evals/eval-command.ts");
        const options = commandOf(args).optsWithGlobals<EvalCommandOptions>();
        return evalCommand(args[0] as readonly string[], options, console);
      }),
    );
  return addHelp(command, help.EVAL_HELP);
}

function registerTrigger(evals: Command, wrap: WrapAction): void {
  const command = evals
    .command("trigger")
    .summary("see which skill is selected for which request")
    .description(help.TRIGGER_DESCRIPTION)
    .argument(...PATHS)
    .option("--stress <number>", "also with this many more skills in the catalog")
    .option("--with-root <dir>", "take them from this folder instead of making them up");
  addModelOptions(addTrustOption(command));
  addReportOptions(addBudgets(addRunning(command))).action(
    wrap(async (args, console) => {
      const { triggerCommand } = await import("../evals/trigger-command.ts");
      const options = commandOf(args).optsWithGlobals<TriggerCommandOptions>();
      return triggerCommand(args[0] as readonly string[], options, console);
    }),
  );
  addHelp(command, help.TRIGGER_HELP);
}

function registerCompare(evals: Command, wrap: WrapAction): void {
  const command = evals
    .command("compare")
    .summary("say whether results got worse")
    .description(help.COMPARE_DESCRIPTION)
    .argument("<before>", "results that eval --save wrote")
    .argument("<now>", "those that are compared with them")
    .option("--margin <share>", "tolerated drop in pass rate (default: 0.05)")
    .option("--max-errors <share>", "tolerated share of errors (default: 0.1)")
    .option("--max-tokens <share>", "fail when tokens per case grew by more, such as 0.1")
    .option("--strict", "fail also when it is inconclusive (default in CI)")
    .option("--no-strict", "do not")
    .option("--html <file>", "write a report with both side by side")
    .option("--markdown <file>", "write a report for a pull request")
    .action(
      wrap(async (args, console) => {
        const { compareCommand } = await import("../evals/compare-command.ts");
        const options = commandOf(args).optsWithGlobals<CompareCommandOptions>();
        return compareCommand(args[0] as string, args[1] as string, options, console);
      }),
    );
  addHelp(command, help.COMPARE_HELP);
}

function registerLint(evals: Command, wrap: WrapAction): void {
  const command = evals
    .command("lint")
    .summary("check whether the cases can show anything")
    .description(help.LINT_DESCRIPTION)
    .argument(...PATHS)
    .option("--results <file>", "of an eval --without: find checks that tell nothing")
    .option("--claim <share>", "the pass rate that the cases are to show (default: 0.8)")
    .option("--max-warnings <n>", "fail when there are more warnings", parseCount)
    .option("--rule <code=severity>", "set a rule to error, warning, info or off", collect)
    .addOption(
      new Option("--format <format>", "how to print").choices(["human", "json", "github", "sarif"]),
    );
  addTrustOption(command).action(
    wrap(async (args, console) => {
      const { lintEvalsCommand } = await import("../evals/lint-evals-command.ts");
      const options = commandOf(args).optsWithGlobals<LintEvalsOptions>();
      return lintEvalsCommand(args[0] as readonly string[], options, console);
    }),
  );
  addHelp(command, help.LINT_HELP);
}

function registerReport(evals: Command, wrap: WrapAction): void {
  const command = evals
    .command("report")
    .summary("show results that are there already")
    .description(help.REPORT_DESCRIPTION)
    .argument("[results]", "a file that eval --save wrote (default: those of the last eval)")
    .option("--other <results>", "show these beside: what was before");
  addReportOptions(command).action(
    wrap(async (args, console) => {
      const { reportCommand } = await import("../evals/report-command.ts");
      const options = commandOf(args).optsWithGlobals<ReportCommandOptions>();
      return reportCommand(args[0] as string | undefined, options, console);
    }),
  );
  addHelp(command, help.REPORT_HELP);
}

function registerSuggest(evals: Command, wrap: WrapAction): void {
  const command = evals
    .command("suggest")
    .summary("propose near misses, and words for a description")
    .description(help.SUGGEST_DESCRIPTION)
    .argument("[skill]", "its name (default: all of this project that have cases)")
    .option("--limit <number>", "near misses per skill (default: 5)")
    .option("--results <file>", "of an eval: what a model really missed");
  addTrustOption(command).action(
    wrap(async (args, console) => {
      const { suggestCommand } = await import("../evals/suggest-command.ts");
      const options = commandOf(args).optsWithGlobals<SuggestCommandOptions>();
      return suggestCommand(args[0] as string | undefined, options, console);
    }),
  );
  addHelp(command, help.SUGGEST_HELP);
}

function registerImport(evals: Command, wrap: WrapAction): void {
  const command = evals
    .command("import")
    .summary("convert a file of waza, vally, promptfoo, or a trigger set")
    .description(help.IMPORT_DESCRIPTION)
    .argument("<file>", "the file of the other tool")
    .option("--out <file>", "where to write (default: <name>.cases.yaml beside the file)")
    .option("--skill <name>", "the skill that the cases are about")
    .option("--force", "replace the file if it exists")
    .action(
      wrap(async (args, console) => {
        const { importCommand } = await import("../evals/import-command.ts");
        const options = commandOf(args).optsWithGlobals<ImportCommandOptions>();
        return importCommand(args[0] as string, options, console);
      }),
    );
  addHelp(command, help.IMPORT_HELP);
}

function addRunning(command: Command): Command {
  return command
    .option("--filter <text>", "only cases with this in id, title, request, skill or tag")
    .option("--trials <number>", "run every case so often (default: 1)")
    .option("--jobs <number>", "trials at once (default: 4)")
    .option("--timeout <time>", "of a trial, such as 90s (default: 2m)")
    .option("--seed <number>", "of all that is drawn by chance (default: 1)")
    .option("--rate <number>", "maximum requests to the model per minute")
    .option("--record <dir>", "keep what the model answers there")
    .option("--replay <dir>", "take the answers from there; no model is asked")
    .option("--min-pass-rate <share>", "cases that have to pass (default: all)")
    .option("--max-errors <share>", "tolerated share of errors (default: 0.1)")
    .option("--resume", "go on after an interruption; errors are tried again")
    .option("--keep-going", "leave out cases that cannot be read");
}

function addBudgets(command: Command): Command {
  return command
    .option("--budget-cost <dollars>", "of the whole eval: begin no trial beyond this")
    .option("--budget-time <time>", "of the whole eval, such as 30m; --resume goes on counting")
    .option("--trial-turns <number>", "limit of one trial on model turns")
    .option("--trial-tool-calls <number>", "on tool calls, reads and scripts included")
    .option("--trial-scripts <number>", "on scripts")
    .option("--trial-tokens <number>", "on tokens")
    .option("--trial-time <time>", "on time, such as 90s")
    .option("--trial-cost <dollars>", "on money");
}

function addComparing(command: Command): Command {
  return command
    .option("--without", "also without the skill, to see what it adds")
    .option("--against <version>", "also with another version: a folder, or a commit")
    .option(
      "--judge <provider:name>",
      "the model that judges what is said in words, and compares the answers of two arms",
    )
    .option("--save <file>", "keep the results")
    .option("--baseline <file>", "compare with these (default: .agent/evals/baseline.json)")
    .option("--no-baseline", "compare with nothing")
    .option("--update-baseline", "make these results the baseline")
    .option("--margin <share>", "tolerated drop in pass rate (default: 0.05)")
    .option("--strict", "fail also when it is inconclusive (default in CI)")
    .option("--no-strict", "do not");
}

function addReportOptions(command: Command): Command {
  return command
    .option("--html <file>", "write a report for a browser")
    .option("--markdown <file>", "write a report for a pull request")
    .option("--junit <file>", "write a JUnit report")
    .option("--workspace <dir>", "write the folders that skill-creator's viewer reads");
}

function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}
