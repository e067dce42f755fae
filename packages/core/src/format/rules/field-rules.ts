import { defineRule, type FindingWords, valueSpan } from "../draft.ts";
import { countCharacters, nameProblem, slugify } from "../names.ts";

export const allowedToolsUnreadable = defineRule({
  code: "allowed-tools-unreadable",
  severity: "warning",
  summary: "An entry of `allowed-tools` is not a tool rule.",
  explanation:
    "A rule is a tool's name, optionally with a specifier in parentheses directly behind it. What cannot be read grants nothing.",
  example: { bad: "allowed-tools: Bash (git:*)", good: "allowed-tools: Bash(git:*)" },
});

const MAX_COMPATIBILITY_LENGTH = 500;

const compatibilityTooLong = defineRule({
  code: "compatibility-too-long",
  severity: "warning",
  strict: "error",
  summary: "`compatibility` is longer than 500 characters.",
  explanation:
    "It names what the skill needs – a product, packages, network access – in a line or two.",
  example: {
    bad: "compatibility: … 800 characters …",
    good: "compatibility: Needs git and Python 3.10",
  },
  check({ compatibility }, draft, report) {
    if (compatibility === undefined) return;
    const length = countCharacters(compatibility);
    if (length <= MAX_COMPATIBILITY_LENGTH) return;
    report(valueSpan(draft, "compatibility"), {
      message: `\`compatibility\` has ${length} characters, ${MAX_COMPATIBILITY_LENGTH} are allowed`,
      hint: "name only what the skill needs",
    });
  },
});

export const controlInvalid = defineRule({
  code: "control-invalid",
  severity: "warning",
  strict: "error",
  summary: "A control field has an invalid value.",
  explanation:
    "`disable-model-invocation` and `user-invocable` are `true` or `false`, `run-mode` is `inline` or `subagent`. A flag that cannot be read counts as the value that permits less.",
  example: { bad: "user-invocable: maybe", good: "user-invocable: true" },
});

const descriptionMissing = defineRule({
  code: "description-missing",
  severity: "error",
  effect: "skipped",
  summary: "The skill has no description.",
  explanation:
    "The description is all a model sees before it chooses; without one the skill can never be chosen, so it is not loaded.",
  example: {
    bad: "---\nname: pdf-processing\n---",
    good: "---\nname: pdf-processing\ndescription: Extracts text from PDF files. Use when a PDF must be read.\n---",
  },
  check({ description }, draft, report) {
    if (description !== "") return;
    const isThere = draft.fields.has("description");
    report(valueSpan(draft, "description"), {
      message: isThere ? "the `description` is empty" : "the skill has no `description`",
      hint: "say what the skill does and when to use it, in a sentence or two",
    });
  },
});

export const MAX_DESCRIPTION_LENGTH = 1024;

const descriptionTooLong = defineRule({
  code: "description-too-long",
  severity: "warning",
  strict: "error",
  summary: "The description is longer than 1,024 characters.",
  explanation:
    "Every description is in every prompt. Say what the skill does and when to use it; the rest belongs in the body.",
  example: {
    bad: "description: … 1,500 characters …",
    good: "description: Extracts text from PDF files. Use when a PDF must be read.",
  },
  check({ description }, draft, report) {
    if (description.length <= MAX_DESCRIPTION_LENGTH) return;
    const length = countCharacters(description);
    if (length <= MAX_DESCRIPTION_LENGTH) return;
    report(valueSpan(draft, "description"), {
      message: `the description has ${length} characters, ${MAX_DESCRIPTION_LENGTH} are allowed`,
      hint: "say what it does and when to use it; the rest belongs in the body",
    });
  },
});

export const extraNested = defineRule({
  code: "extra-nested",
  severity: "warning",
  strict: "error",
  summary: "A key holds nested keys that no client interprets.",
  explanation:
    "The specification has flat fields and a `metadata` mapping of text to text. Nested values are kept under `extra` and never used.",
  example: {
    bad: "metadata:\n  requires:\n    bins: [git]",
    good: "metadata:\n  requires: bin:git",
  },
});

export const fieldType = defineRule({
  code: "field-type",
  severity: "warning",
  strict: "error",
  summary: "A field has a value of the wrong type.",
  explanation:
    "To YAML, `name: 123` is a number and `name: null` is empty. Loading uses the text in the file where it can; other clients may refuse the skill or show something else (`1.10` becomes `1.1`). Quote the value.",
  example: { bad: "version: 1.10", good: 'version: "1.10"' },
});

export const keyMisspelt = defineRule({
  code: "key-misspelt",
  severity: "warning",
  strict: "error",
  summary: "A key is spelt differently from the one that was meant.",
  explanation:
    "Other clients ignore the line, so that the skill quietly loses its tools or its visibility. `skillwright lint --fix` renames keys whose meaning is certain.",
  example: { bad: "user-invokable: false", good: "user-invocable: false" },
});

export const keyUnknown = defineRule({
  code: "key-unknown",
  severity: "info",
  strict: "error",
  summary: "A key is not part of the specification.",
  explanation:
    "It is kept and never interpreted. The reference validator refuses such keys; `metadata` is the place for your own.",
  example: { bad: "category: documents", good: "metadata:\n  category: documents" },
});

export const metadataValue = defineRule({
  code: "metadata-value",
  severity: "warning",
  summary: "A metadata value is not text.",
  explanation:
    "Metadata maps text to text. Numbers, booleans and empty values are read as the text in the file; other clients may turn `1.10` into `1.1`. Quote the value.",
  example: { bad: "metadata:\n  version: 1.10", good: 'metadata:\n  version: "1.10"' },
});

export const nameInvalid = defineRule({
  code: "name-invalid",
  severity: "warning",
  strict: "error",
  summary: "The name contains invalid characters.",
  explanation:
    "A name consists of lowercase letters, digits and single hyphens between them, so that it works as a folder, a command and an identifier everywhere.",
  example: { bad: "name: PDF_Processing", good: "name: pdf-processing" },
  check({ name }, draft, report) {
    const finding = draft.fields.has("name") ? invalidName(name) : undefined;
    if (finding !== undefined) report(valueSpan(draft, "name"), finding);
  },
});

export function invalidName(name: string): FindingWords | undefined {
  const problem = nameProblem(name);
  if (problem === undefined) return undefined;
  const message = `the name \`${name}\` ${problem}`;
  const suggestion = slugify(name);
  return suggestion === "" ? { message } : { message, hint: `for example \`${suggestion}\`` };
}

// oxlint-disable-next-line no-control-regex -- ASCII has no other forms
const NOT_ASCII = /[^\u0000-\u007f]/;

export const nameMismatch = defineRule({
  code: "name-mismatch",
  severity: "warning",
  strict: "error",
  summary: "The name differs from the folder's name.",
  explanation:
    "The specification wants them equal, and some clients refuse the skill otherwise. Here the name in the file wins and the folder's name resolves as well.",
  example: {
    bad: "# folder: pdf-tools\nname: pdf-processing",
    good: "# folder: pdf-processing\nname: pdf-processing",
  },
  check({ name }, draft, report) {
    const finding = draft.fields.has("name")
      ? mismatchedName(name, draft.directoryName)
      : undefined;
    if (finding !== undefined) report(valueSpan(draft, "name"), finding);
  },
});

export function mismatchedName(name: string, directoryName: string | undefined) {
  if (directoryName === undefined || name === directoryName) return undefined;
  const isPlain = !NOT_ASCII.test(name + directoryName);
  if (!isPlain && name.normalize("NFKC") === directoryName.normalize("NFKC")) return undefined;
  return {
    message: `the name \`${name}\` differs from the folder \`${directoryName}\``,
    hint: "rename one of them",
  };
}

const nameMissing = defineRule({
  code: "name-missing",
  severity: "warning",
  strict: "error",
  summary: "The skill has no name.",
  explanation:
    "The name is how people and models call the skill. Without it the folder's name is used when there is one.",
  example: {
    bad: "---\ndescription: Extracts text.\n---",
    good: "---\nname: pdf-processing\ndescription: Extracts text. Use when a PDF must be read.\n---",
  },
  check(skill, draft, report) {
    const value = draft.fields.get("name")?.value;
    if (value?.kind === "scalar" && value.value !== null && value.source.trim() !== "") return;
    const { directoryName } = draft;
    const note =
      directoryName === undefined ? "" : `; the folder's name \`${directoryName}\` is used`;
    report(valueSpan(draft, "name"), {
      message: `the skill has no \`name\`${note}`,
      hint: `add a line such as name: ${directoryName ?? "my-skill"}`,
      unusable: skill.name.trim() === "",
    });
  },
});

export const MAX_NAME_LENGTH = 64;

const nameTooLong = defineRule({
  code: "name-too-long",
  severity: "warning",
  strict: "error",
  summary: "The name is longer than 64 characters.",
  explanation: "Names are repeated in every prompt and every command.",
  example: {
    bad: "name: a-name-that-explains-the-whole-skill-in-one-breath-and-then-goes-on-for-a-while",
    good: "name: pdf-processing",
  },
  check({ name }, draft, report) {
    if (name.length <= MAX_NAME_LENGTH) return;
    const length = countCharacters(name);
    if (length <= MAX_NAME_LENGTH || !draft.fields.has("name")) return;
    report(valueSpan(draft, "name"), {
      message: `the name has ${length} characters, ${MAX_NAME_LENGTH} are allowed`,
      hint: "choose a shorter name",
    });
  },
});

export const valueAmbiguous = defineRule({
  code: "value-ambiguous",
  severity: "warning",
  summary: "An unquoted value is read differently by different YAML versions.",
  explanation:
    "Parsers of YAML 1.1 – Python's among them – read dates, `yes`/`no` and numbers with underscores or colons as something other than text. Quote the value.",
  example: { bad: "version: 2026-11-15", good: 'version: "2026-11-15"' },
});

export const fieldsRules = [
  allowedToolsUnreadable,
  compatibilityTooLong,
  controlInvalid,
  descriptionMissing,
  descriptionTooLong,
  extraNested,
  fieldType,
  keyMisspelt,
  keyUnknown,
  metadataValue,
  nameInvalid,
  nameMismatch,
  nameMissing,
  nameTooLong,
  valueAmbiguous,
] as const;
