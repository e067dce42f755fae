import { defineRule } from "../draft.ts";

export const frontmatterMissing = defineRule({
  code: "frontmatter-missing",
  severity: "error",
  effect: "skipped",
  summary: "SKILL.md does not start with YAML frontmatter.",
  explanation:
    "A skill is found by the name and description in its frontmatter. The first line with text must be `---`, alone on its line. A file that holds only a path is a symbolic link that was checked out as text; check it out again with links enabled.",
  example: {
    bad: "# PDF processing\n\nExtract text from PDF files.",
    good: "---\nname: pdf-processing\ndescription: Extracts text from PDF files. Use when a PDF must be read.\n---\n\n# PDF processing",
  },
});

export const frontmatterNotFirst = defineRule({
  code: "frontmatter-not-first",
  severity: "warning",
  strict: "error",
  summary: "There are blank lines before the frontmatter.",
  explanation: "Many clients want `---` on the very first line and find no skill otherwise.",
  example: { bad: "\n---\nname: pdf-processing\n---", good: "---\nname: pdf-processing\n---" },
});

export const frontmatterTooLarge = defineRule({
  code: "frontmatter-too-large",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is larger than 16 KiB.",
  explanation:
    "Frontmatter is read for every skill at every start. The largest of fifteen thousand public skills has 3.5 KB; longer text belongs in the body or in a file under `references/`.",
  example: {
    bad: "---\nname: report\ndescription: |\n  … 20,000 characters …\n---",
    good: "---\nname: report\ndescription: Writes a report. Use when figures must be summarised.\n---",
  },
});

export const frontmatterUnclosed = defineRule({
  code: "frontmatter-unclosed",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter has no closing `---` line.",
  explanation:
    "Without the second delimiter nothing tells where the body starts. The delimiter is three hyphens at the start of a line with nothing after them.",
  example: {
    bad: "---\nname: pdf-processing\ndescription: Extracts text.\n# PDF processing",
    good: "---\nname: pdf-processing\ndescription: Extracts text. Use when a PDF must be read.\n---\n# PDF processing",
  },
});

export const yamlAlias = defineRule({
  code: "yaml-alias",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter uses a YAML alias.",
  explanation:
    "Aliases can make a few bytes expand into gigabytes, and no skill needs them. Write the value out.",
  example: { bad: "author: &me Ada\nmaintainer: *me", good: "author: Ada\nmaintainer: Ada" },
});

export const yamlDuplicateKey = defineRule({
  code: "yaml-duplicate-key",
  severity: "error",
  effect: "skipped",
  summary: "A key appears twice in the same mapping.",
  explanation:
    "Parsers disagree on which of the two counts, so the skill would mean different things in different clients.",
  example: { bad: "name: pdf\nname: pdf-processing", good: "name: pdf-processing" },
});

export const yamlInvalid = defineRule({
  code: "yaml-invalid",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is not valid YAML.",
  explanation:
    "Nothing of the skill can be read. The usual causes are a tab in the indentation, a quote that is not closed, or text after a closing quote.",
  example: { bad: "---\nname: 'pdf-processing\n---", good: "---\nname: pdf-processing\n---" },
});

export const yamlNotAMapping = defineRule({
  code: "yaml-not-a-mapping",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is not a list of `key: value` lines.",
  explanation:
    "The frontmatter must be a mapping with at least `name` and `description`; this one is empty, a list, or a single text.",
  example: {
    bad: "---\n- pdf-processing\n---",
    good: "---\nname: pdf-processing\ndescription: Extracts text. Use when a PDF must be read.\n---",
  },
});

export const yamlPrototypeKey = defineRule({
  code: "yaml-prototype-key",
  severity: "error",
  effect: "skipped",
  summary: "A key has the name of a built-in property of JavaScript objects.",
  explanation:
    "Keys such as `__proto__` and `constructor` are a known way to attack programs that copy parsed data. No skill needs one.",
  example: { bad: "metadata:\n  __proto__: admin", good: "metadata:\n  role: admin" },
});

export const yamlRepaired = defineRule({
  code: "yaml-repaired",
  severity: "warning",
  strict: "error",
  summary: "A value had to be quoted before the YAML could be read.",
  explanation:
    "A colon followed by a blank, or a bracket with text after it, ends a plain YAML value. Other clients lose such a skill without a word. `skillwright lint --fix` writes the quotes.",
  example: {
    bad: "description: Use when: a PDF must be read",
    good: 'description: "Use when: a PDF must be read"',
  },
});

export const yamlTag = defineRule({
  code: "yaml-tag",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter uses a YAML tag.",
  explanation: "Tags make some YAML parsers build objects or run code. Quote the value instead.",
  example: { bad: "version: !!str 1.10", good: 'version: "1.10"' },
});

export const yamlTooDeep = defineRule({
  code: "yaml-too-deep",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is nested more than 20 levels deep.",
  explanation:
    "Deep nesting is used to exhaust parsers. The deepest of fifteen thousand public skills has six levels.",
  example: { bad: "tags: [[[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]]", good: "tags: [x]" },
});

export const syntaxRules = [
  frontmatterMissing,
  frontmatterNotFirst,
  frontmatterTooLarge,
  frontmatterUnclosed,
  yamlAlias,
  yamlDuplicateKey,
  yamlInvalid,
  yamlNotAMapping,
  yamlPrototypeKey,
  yamlRepaired,
  yamlTag,
  yamlTooDeep,
] as const;
