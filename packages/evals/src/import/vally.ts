import { dirname, resolve } from "node:path";
import type { CaseSource } from "../cases/case-source.ts";
import type { Expectation } from "../cases/expectation.ts";
import {
  durationOf,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
  textsOf,
  wordList,
} from "../cases/fields.ts";
import {
  addCheck,
  addConstraints,
  addGraders,
  addProgram,
  addRegexes,
  addSkillLists,
  addTexts,
  addToolPatterns,
  hasOnly,
  SKILL_LISTS,
  trialsOf,
} from "./graders.ts";
import {
  ImportedCase,
  type ImportedFile,
  type ImportLosses,
  type ImportPlace,
  inner,
} from "./import-draft.ts";

const ROOT = wordList(
  `name description type version stimuli graders constraints environment defaults config`,
);
const SETTINGS = ["runs", "timeout"];
const STIMULUS = wordList(
  `name description prompt rubric graders constraints environment tags runs timeout`,
);

/** An `eval.yaml` with `stimuli`. */
export function importVally(source: CaseSource, losses: ImportLosses): ImportedCase[] {
  const root = { source, fields: source.document.value as Fields, path: [] };
  losses.addOthers(root, ROOT);
  for (const name of ["defaults", "config"]) losses.addOthers(inner(root, name), SETTINGS);
  return listOf(root.fields, "stimuli").flatMap((item, i) => {
    const path = ["stimuli", i];
    const prompt = isFields(item) ? textOf(item, "prompt") : undefined;
    if (!isFields(item) || prompt === undefined) {
      const hasTurns =
        isFields(item) && ["turns", "prompts", "messages"].some((name) => name in item);
      const message = hasTurns ? "a stimulus of several turns" : "the stimulus has no prompt";
      losses.add("left-out", source, path, message);
      return [];
    }
    return stimulusCase({ source, fields: item, path }, prompt, root, losses);
  });
}

function stimulusCase(
  stimulus: ImportPlace,
  prompt: string,
  root: ImportPlace,
  losses: ImportLosses,
): ImportedCase[] {
  const { source, fields, path } = stimulus;
  const name = textOf(fields, "name") ?? `stimulus-${Number(path.at(-1)) + 1}`;
  const one = new ImportedCase(name, prompt, losses);
  for (const place of [root, stimulus]) {
    addGraders(one, place, (grader, expectation) =>
      addGrader(grader, fields, expectation, dirname(source.file)),
    );
    addConstraints(one, inner(place, "constraints"));
    if (!addEnvironment(one, inner(place, "environment"))) {
      losses.add(
        "left-out",
        source,
        [...place.path, "environment", "files"],
        "its files cannot be read",
        name,
      );
      return [];
    }
  }
  // A rubric that no grader asks for is still what is expected.
  one.expectation.statements.push(...textsOf(fields, "rubric"));
  losses.addOthers(stimulus, STIMULUS);
  const settings = [stimulus, inner(root, "defaults"), inner(root, "config")];
  one.trials = settings.map((place) => trialsOf(place, "runs")).find((runs) => runs !== undefined);
  one.timeoutMs = settings
    .map((place) => durationOf(place.fields["timeout"]))
    .find((timeout) => timeout !== undefined);
  one.tags.push(...tagsOf(fields));
  return [one];
}

/** False if its files cannot be read. What else it prepares is missing here. */
function addEnvironment(one: ImportedCase, place: ImportPlace): boolean {
  const { source, fields, path } = place;
  for (const name of Object.keys(fields)) {
    if (name === "files" || name === "skills") continue;
    one.unjudged(place, [...path, name], `environment.${name} is not prepared`);
  }
  const files = filesOf(fields["files"], dirname(source.file));
  one.files.push(...(files ?? []));
  return files !== undefined;
}

function filesOf(given: unknown, base: string): ImportedFile[] | undefined {
  if (given === undefined || given === null) return [];
  if (isFields(given) && Object.values(given).every((content) => typeof content === "string")) {
    return Object.entries(given).map(([path, content]) => ({ path, content: content as string }));
  }
  const files = (Array.isArray(given) ? (given as readonly unknown[]) : [given]).map(
    (file): ImportedFile | undefined => {
      if (typeof file === "string") return { path: file, from: resolve(base, file) };
      if (!isFields(file)) return undefined;
      const named = textOf(file, "path", "name", "filename");
      const path = textOf(file, "dest", "destination") ?? named;
      const from = textOf(file, "from", "source", "src") ?? named;
      if (path !== undefined && typeof file["content"] === "string") {
        return { path, content: file["content"] };
      }
      return from === undefined ? undefined : { path: path ?? from, from: resolve(base, from) };
    },
  );
  return files.every((file) => file !== undefined) ? files : undefined;
}

/** A list, or pairs: `{ tier: smoke }` becomes `tier:smoke`. */
function tagsOf(fields: Fields): string[] {
  const pairs = Object.entries(fieldsOf(fields, "tags")).map(
    ([name, value]) => `${name}:${String(value)}`,
  );
  return [...textsOf(fields, "tags"), ...pairs];
}

/** Fields of all graders below. */
const CONFIG = [
  ...SKILL_LISTS,
  "substring",
  "value",
  "pattern",
  "path",
  "max",
  "prompt",
  "rubric",
  "model",
  "judge_model",
  "program",
  "command",
  "args",
  "timeout",
];

function addGrader(
  grader: Fields,
  stimulus: Fields,
  expectation: Expectation,
  folder: string,
): boolean {
  const config = fieldsOf(grader, "config");
  const isWhole = hasOnly(grader) && hasOnly(config, ...CONFIG);
  return addKnown(grader, config, stimulus, expectation, folder) && isWhole;
}

function addKnown(
  grader: Fields,
  config: Fields,
  stimulus: Fields,
  expectation: Expectation,
  folder: string,
): boolean {
  const type = textOf(grader, "type") ?? "";
  const not = type.includes("-not-");
  const value = textOf(config, "substring", "value");
  const pattern = textOf(config, "pattern");
  const path = textOf(config, "path");
  const { max } = config;
  switch (type.replace("-not-", "-")) {
    case "output-contains":
      if (value !== undefined) addTexts(expectation, [value], { not });
      return value !== undefined;
    case "output-matches":
      return pattern !== undefined && addRegexes(expectation, [pattern], not);
    case "file-exists":
      if (path !== undefined) addCheck(expectation, { type: "file-exists", path }, not);
      return path !== undefined;
    case "file-contains":
      if (path === undefined || value === undefined) return false;
      addCheck(expectation, { type: "file-contains", path, value }, not);
      return true;
    case "skill-invocation":
      return addSkillLists(expectation, config);
    case "tool-calls":
      return [
        addToolPatterns(expectation, listOf(config, "required"), ""),
        addToolPatterns(expectation, listOf(config, "disallowed"), "never "),
      ].every(Boolean);
    case "prompt":
    case "panel": {
      const rubric = textsOf(stimulus, "rubric");
      const texts = rubric.length > 0 ? rubric : textsOf(config, "prompt", "rubric");
      expectation.statements.push(...texts);
      return texts.length > 0;
    }
    case "completed":
    case "exit-success":
      expectation.sequence.push("answer");
      return true;
    case "token-budget":
    case "tool-call-count":
    case "turn-count":
      if (typeof max !== "number" || max < 0) return false;
      expectation.limit(LIMITS[type] ?? "maxTurns", max);
      return true;
    case "wall-time": {
      const time = durationOf(max);
      if (time !== undefined) expectation.limit("maxTimeMs", time);
      return time !== undefined;
    }
    case "error-count":
      if (typeof max !== "number" || !Number.isInteger(max) || max < 0) return false;
      expectation.sequence.push(`at most ${max} step where failed`);
      return true;
    case "program":
    case "run-command":
      return addProgram(
        expectation,
        textOf(config, "program", "command") ?? "",
        textsOf(config, "args"),
        folder,
      );
    default:
      return false;
  }
}

const LIMITS: Readonly<Record<string, "maxTokens" | "maxToolCalls" | "maxTurns">> = {
  "token-budget": "maxTokens",
  "tool-call-count": "maxToolCalls",
  "turn-count": "maxTurns",
};
