import type { CommandHelp } from "../help/add-help.ts";

const PAGE = "docs/evals.md";

export const EVAL_DESCRIPTION =
  "Runs cases: requests with what must come of them. Each runs on the real agent with the whole " +
  "catalog, in a context and a working directory of its own, under your policy and in the sandbox. " +
  "No one is asked: name what needs an approval with --yes. An error is a separate outcome, " +
  "never a pass or a fail.\n\n" +
  "A path is a skill, a folder of skills, or a file with cases: our own format or evals.json. " +
  "`skillwright eval import` converts files of other tools. Without a path, the project's skills and .agent/evals are tested.\n\n" +
  "The offline model decides unless --model names another one: a key that is there is not spent by a " +
  "test. With .agent/evals/baseline.json, or --baseline, what got worse fails, and what failed before " +
  "is known.\n\n" +
  "Ctrl-C finishes the trials that are under way and says how to go on; twice stops now.";

export const EVAL_HELP: CommandHelp = {
  examples: {
    "skillwright eval": "all cases of this project",
    "skillwright eval .agent/skills/pdf --yes=run_script": "one skill that runs scripts",
    "skillwright eval --without --html report.html": "what the skills add, as a page",
    "skillwright eval --against HEAD~1": "did the last commit make it worse?",
    "skillwright eval --update-baseline": "hold later evals against this one",
    "skillwright eval --model anthropic:claude-sonnet-4-5 --trials 5 --record tapes":
      "live, five times, and keep the answers",
    "skillwright eval --replay tapes --trials 5 --junit evals.xml": "the same in CI, without a key",
  },
  exitCodes: {
    0: "it works, and did not get worse; without --strict also INCONCLUSIVE",
    1: "a case failed, or against the baseline: it got worse, or cases are missing; in CI also INCONCLUSIVE",
    2: "wrong usage or configuration, cases that cannot be read, outputs that cannot be written",
    4: "too many errors to judge, a budget ran out, or there are no cases",
    130: "interrupted, with a verdict if only cases that look worse were left to try again; --resume goes on",
  },
  seeAlso: ["skillwright eval lint", "skillwright eval trigger", "skillwright run", PAGE],
};

export const TRIGGER_DESCRIPTION =
  "Asks for every request which skill the model selects, with the whole catalog before it, and holds it " +
  "against what the cases expect: a confusion matrix with none, precision, recall and F1 for each " +
  "skill, and who takes whose requests. No script is run and no tool is offered. It compares with no " +
  "baseline and tries no case again.\n\n" +
  "--stress does it once more with a crowded catalog: with skills that are made up, the same for a seed, " +
  "or those of a folder.";

export const TRIGGER_HELP: CommandHelp = {
  examples: {
    "skillwright eval trigger": "all requests of this project",
    "skillwright eval trigger --stress 50": "what if there were 50 more skills?",
    "skillwright eval trigger --stress 200 --with-root ~/all-skills": "with real ones",
    "skillwright eval trigger skills --json": "for a program",
  },
  exitCodes: {
    0: "every selection is right; without --strict also INCONCLUSIVE",
    1: "some are wrong; with --strict, default in CI, also INCONCLUSIVE",
    2: "wrong usage or configuration, or cases that cannot be read",
    4: "too many errors to judge, a budget ran out, or no case names skills",
    130: "interrupted",
  },
  seeAlso: ["skillwright eval suggest", "skillwright search", PAGE],
};

export const COMPARE_DESCRIPTION =
  "Compares two results case by case. Of a model that always answers the same, every case that flips is a " +
  "regression. Of any other, the drop in pass rate must be shown to be within the margin; otherwise it is " +
  "inconclusive.";

export const COMPARE_HELP: CommandHelp = {
  examples: {
    "skillwright eval compare before.json now.json": "did it get worse?",
    "skillwright eval compare before.json now.json --margin 0.1": "tolerate a drop of 10 points",
    "skillwright eval compare before.json now.json --html both.html": "side by side",
  },
  exitCodes: {
    0: "not worse, or inconclusive",
    1: "worse, or cases of the first are missing; with --strict, default in CI, also inconclusive",
    2: "wrong usage, files that hold no results, outputs that cannot be written",
    4: "errors, or no case that can be compared",
  },
  seeAlso: ["skillwright eval", "skillwright eval report", PAGE],
};

export const LINT_DESCRIPTION =
  "Looks for what keeps cases from showing anything: requests that name the skill, negatives that no one " +
  "would confuse, duplicates, contradictions, too few cases, checks that pass with and without the " +
  "skill. Nothing is run. Cases that cannot be read are errors.";

export const LINT_HELP: CommandHelp = {
  examples: {
    "skillwright eval lint": "all cases of this project",
    "skillwright eval lint skills/pdf --verbose": "of one skill, with notes",
    "skillwright eval lint --format github": "notes in a pull request",
    "skillwright eval lint --results with-and-without.json": "with what was seen",
  },
  exitCodes: {
    0: "no errors",
    1: "errors, or too many warnings",
    2: "wrong usage",
    4: "there are no cases",
  },
  seeAlso: ["skillwright lint", "skillwright eval suggest", PAGE],
};

export const REPORT_DESCRIPTION =
  "Shows results again, or makes a report of them: one page for a browser that needs no network, Markdown " +
  "for a pull request, JUnit for CI, or the folders that skill-creator's viewer reads. Nothing is run.";

export const REPORT_HELP: CommandHelp = {
  examples: {
    "skillwright eval report": "the last eval of this project",
    "skillwright eval report --html report.html": "as a page",
    "skillwright eval report now.json --other before.json --html both.html": "two side by side",
  },
  exitCodes: {
    0: "shown",
    1: "the file system refused",
    2: "wrong usage, a file that holds no results, outputs that cannot be written",
    4: "no eval was run yet",
  },
  seeAlso: ["skillwright eval compare", PAGE],
};

export const SUGGEST_DESCRIPTION =
  "Proposes requests that belong to a neighbour and share words with the skill, to be used as negatives, and " +
  "words that its description lacks. A word that would take requests from a neighbour is rejected. " +
  "Only words are compared: no model is asked, and nothing is changed.";

export const SUGGEST_HELP: CommandHelp = {
  examples: {
    "skillwright eval suggest": "for all skills with cases",
    "skillwright eval suggest pdf --limit 10": "for one",
    "skillwright eval suggest pdf --results now.json": "from what a model missed",
  },
  exitCodes: {
    0: "done",
    1: "there is no such skill",
    2: "wrong usage",
    4: "no skill has cases",
  },
  seeAlso: ["skillwright eval lint", "skillwright search", PAGE],
};

export const IMPORT_DESCRIPTION =
  "Converts a file of waza, vally or promptfoo, or a trigger set, into a file of cases in our own format, and " +
  "lists what that cannot express. What cannot be checked here is kept under expected.unjudged: such a case " +
  "never passes. Nothing is reinterpreted, and the original file stays as it is.";

export const IMPORT_HELP: CommandHelp = {
  examples: {
    "skillwright eval import evals/eval.yaml": "writes evals/eval.cases.yaml",
    "skillwright eval import triggers.json --skill pdf --out evals/triggers.yaml":
      "requests that are about one skill",
    "skillwright eval import promptfooconfig.yaml --force --verbose": "again, and show the result",
  },
  exitCodes: {
    0: "the file was written, even if something could not be expressed",
    1: "no case could be converted; nothing was written",
    2: "wrong usage, a format that is not known, or a file that exists",
  },
  seeAlso: ["skillwright eval", "skillwright eval lint", PAGE],
};
